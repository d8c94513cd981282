import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

export type TinyPackages = { wheels: string; lockFile: string; env: NodeJS.ProcessEnv };

/** A folder with one small wheel, a lock that names it, and variables that make it the only index. */
export function tinyPackages(folder: string, options: { hash?: string } = {}): TinyPackages {
  const wheels = join(folder, "wheels");
  const lockFile = join(folder, "tiny.lock");
  const wheel = tinyWheel();
  mkdirSync(wheels, { recursive: true });
  writeFileSync(join(wheels, "glovebox_tiny-1.0-py3-none-any.whl"), wheel);
  const hash = options.hash ?? createHash("sha256").update(wheel).digest("hex");
  writeFileSync(lockFile, `glovebox-tiny==1.0 \\\n    --hash=sha256:${hash}\n    # via -r tiny.in\n`);
  const env = { ...withoutIndexSettings(), PIP_NO_INDEX: "1", PIP_FIND_LINKS: wheels };
  return { wheels, lockFile, env: { ...env, UV_NO_INDEX: "1", UV_FIND_LINKS: wheels } };
}

/** This process's variables without whatever says where packages come from. */
export function withoutIndexSettings(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PIP|UV|GLOVEBOX)_/.test(name));
  return { ...Object.fromEntries(kept), PIP_CONFIG_FILE: "/dev/null", UV_NO_CONFIG: "1" };
}

function tinyWheel(): Buffer {
  const info = "glovebox_tiny-1.0.dist-info";
  const files: Record<string, string> = {
    "glovebox_tiny/__init__.py": "answer = 42\n",
    [`${info}/METADATA`]: "Metadata-Version: 2.1\nName: glovebox-tiny\nVersion: 1.0\n",
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
  };
  const record = [...Object.keys(files), `${info}/RECORD`].map((name) => `${name},,\n`).join("");
  return storedZip({ ...files, [`${info}/RECORD`]: record });
}

function storedZip(files: Record<string, string>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, data] = [Buffer.from(path), Buffer.from(text)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const body = Buffer.concat([Buffer.from("PK\x03\x04"), common, name, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(0o100600 * 0x10000, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x03"), common, tail, name]));
    bodies.push(body);
    offset += body.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, central, Buffer.from("PK\x05\x06"), end]);
}
