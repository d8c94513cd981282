/** Everything a cell finds in os.environ beside its PATH; nothing of the host's is passed on. */
export function innerEnvironment(threads: number): Record<string, string> {
  const count = String(threads);
  return {
    HOME: "/mnt/data",
    USER: "glovebox",
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    TZ: "UTC",
    MPLBACKEND: "Agg",
    PYTHONDONTWRITEBYTECODE: "1",
    OPENBLAS_NUM_THREADS: count,
    OMP_NUM_THREADS: count,
    MKL_NUM_THREADS: count,
    NUMEXPR_NUM_THREADS: count,
    POLARS_MAX_THREADS: count,
    // Arrow's own allocator reserves a gigabyte of address space, which the memory limit would count.
    ARROW_DEFAULT_MEMORY_POOL: "system",
    PIP_NO_INDEX: "1",
    PLOTLY_RENDERER: "plotly_mimetype",
  };
}
