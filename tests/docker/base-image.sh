#!/bin/sh
# Makes a root folder like a slim Python image's from this machine's own files: the essential programs, the libraries
# that these and Python link to, and a Python with the packages of an environment. No registry is needed.
set -eu
root=$1 prefix=$2 base=$3 version=$4
stdlib=$base/lib/python$version
copy() { cp -al "$@" 2>/dev/null || cp -a "$@"; }

mkdir -p "$root/usr/bin" "$root/usr/lib" "$root/usr/lib64" "$root/usr/sbin" "$root/usr/local/bin" "$root/etc" "$root/tmp"
for name in bin lib lib64 sbin; do ln -s "usr/$name" "$root/$name"; done

if [ "$base" = /usr ]; then
  python=/usr/bin/python$version
  site=$root/usr/local/lib/python$version/dist-packages
  copy "$stdlib" "$root/usr/lib/"
  cp "$python" "$root/usr/bin/"
  ln -s "python$version" "$root/usr/bin/python3"
  rm -f "$root/usr/lib/python$version/EXTERNALLY-MANAGED"
else
  python=$base/bin/python$version
  site=$root/usr/local/lib/python$version/site-packages
  copy "$base/bin/." "$root/usr/local/bin/"
  copy "$base/lib" "$root/usr/local/"
  rm -rf "$root/usr/local/lib/python$version/test" "$root/usr/local/lib/python$version"/config-* "$site"
fi
mkdir -p "$site"
copy "$prefix/lib/python$version/site-packages/." "$site/"
for wheel in "$stdlib"/ensurepip/_bundled/pip-*.whl /usr/share/python-wheels/pip-*.whl; do
  [ -d "$site/pip" ] || [ ! -f "$wheel" ] || "$python" -m zipfile -e "$wheel" "$site"
done

programs=$(dpkg-query -W -f '${Essential} ${Package}\n' | sed -n 's/^yes //p' | xargs dpkg -L | grep -E '^(/usr)?/s?bin/')
{
  ldd "$python" $programs 2>/dev/null || true
  find "$stdlib/lib-dynload" "$prefix/lib" -name '*.so*' -type f -print0 | xargs -0 ldd 2>/dev/null || true
} | sed -n 's/^.* => \(\/[^ ]*\) .*/\1/p; s/^\t\(\/[^ ]*\) .*/\1/p' | grep -E '^(/usr)?/lib' | sort -u > "$root.libraries"
for file in $programs /sbin/ldconfig $(cat "$root.libraries"); do
  [ -f "$file" ] || continue
  to=$root/usr/${file#/usr/}
  mkdir -p "${to%/*}"
  cp -L --preserve=mode "$file" "$to"
done
rm "$root.libraries"
cp -R /etc/ld.so.conf /etc/ld.so.conf.d "$root/etc/"
ldconfig -r "$root"
