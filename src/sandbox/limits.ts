/**
 * Limits for untrusted content: of the processes that read it, of a page, and of a page's code. A process that exceeds a
 * limit is killed with its child processes, and the work fails with the reason.
 */

export interface ProcessLimits {
  /**
   * Memory usage in bytes, monitored from outside. The heap limit is slightly lower, so it is usually reached first.
   */
  memoryBytes: number
  cpuSeconds: number
  /** Maximum CPU seconds without progress. Detects work that is stuck on one text. */
  silentCpuSeconds: number
  /**
   * Maximum wall-clock seconds without progress. Detects hangs, and stands in for the CPU limit where CPU time is
   * unavailable.
   */
  silentWallSeconds: number
}

/** Default memory limit, chosen for sites of tens of thousands of pages; larger ones need more. */
export const SITE_MEMORY_MB = 2048
/** Default delay before retrying a site whose process was killed; doubled the next time. */
export const SITE_RETRY_SECONDS = 30
/** Minimum memory in which the program itself can run. */
export const MIN_SITE_MEMORY_MB = 256

/**
 * Returns limits for a site with this number of files and bytes of text. The limits allow for slow machines and
 * large pages, so that only hanging or endlessly growing work exceeds them. Each file that is read is a sign of
 * progress. The longest phases without progress process all pages together (links, search index, manifest).
 */
export function siteLimits(files: number, textBytes: number, memoryMb: number): ProcessLimits {
  const megabytes = textBytes / 1e6
  return {
    memoryBytes: memoryMb * 1_048_576,
    cpuSeconds: 240 + 0.2 * files + 20 * megabytes,
    silentCpuSeconds: 30 + 0.004 * files + megabytes,
    silentWallSeconds: 600,
  }
}

/** Share of the heap in a process's memory; the rest is for buffers, threads and the program. */
export const HEAP_SHARE = 0.75
export const CHECK_INTERVAL_MS = 100

/** Address space for `ulimit`, in kilobytes: V8 reserves far more than it uses, and 10 GB per WebAssembly memory. */
export const SITE_ADDRESS_SPACE_KB = 100_000_000
/** CPU seconds for `ulimit`, in case a process is no longer monitored. */
export const SITE_PROCESSOR_SECONDS = 14_400

/**
 * Address space and CPU time for `ulimit` of a render child, which is replaced long before it reaches them.
 */
export const RENDER_ADDRESS_SPACE_KB = 12_000_000
export const RENDER_PROCESSOR_SECONDS = 600
/** Maximum memory usage of a render child, in bytes. */
export const RENDER_MEMORY_BYTES = 1_200_000_000
/** Size of a semi-space in megabytes. V8's default needs 35 to 70 MB more per process without being faster. */
export const SEMI_SPACE_MB = 8
/**
 * Semi-space size of a render child, in megabytes. Filling a space of this size takes about as long as the objects
 * of a page live. A smaller space would cause repeated copying.
 */
export const RENDER_SEMI_SPACE_MB = 16
/** Maximum heap of a render child, and its initial old generation size before the first major GC, in megabytes. */
export const RENDER_HEAP_MB = 768
export const RENDER_FIRST_HEAP_MB = 128

/**
 * Limits of one page in a render child. body-renderer.ts enforces them from outside: it kills the child of a page that
 * exceeds them.
 */
export const PAGE_LIMITS = {
  /** Processor seconds, plus an allowance per megabyte of source. */
  cpuSeconds: 5,
  cpuSecondsPerMegabyte: 40,
  /** Processor seconds for a run of author code, in case the limit of the isolate fails. */
  codeSeconds: 3,
  /** Processor seconds for parsing a text, plus an allowance per million characters. */
  parseSeconds: 1.5,
  parseSecondsPerMillionCharacters: 0.5,
  /** Wall-clock seconds for children that use hardly any processor time, or whose processor time is unknown. */
  wallSeconds: 90,
}

/**
 * Limits of the isolate that runs the code of a page: processor time in milliseconds and memory. Pages without code of
 * their own get more, plus an allowance per megabyte of source.
 */
export const PAGE_ISOLATE = {
  codeTimeoutMs: 1000,
  codeMemoryMb: 128,
  dataTimeoutMs: 3000,
  dataTimeoutMsPerMegabyte: 4000,
  dataMemoryMb: 384,
}

/** Maximum memory in bytes of the worker process, which holds results, and git output until it is forwarded. */
export const WORKER_MEMORY_BYTES = 2_147_483_648
export const WORKER_HEAP_MB = 1024
/**
 * Milliseconds without a heartbeat until the worker is restarted; the queue reassigns its jobs after 10,000.
 */
export const WORKER_SILENCE_TIMEOUT_MS = 60_000
export const WORKER_HEARTBEAT_MS = 1000
export const WORKER_CHECK_INTERVAL_MS = 1000

/** Maximum size of a frame in bytes; a longer frame means that the other side is broken. */
export const MAX_FRAME_BYTES = 256 * 1024 * 1024
/** Maximum number of concurrent calls from the other side; further calls wait in the pipe. */
export const MAX_CONCURRENT_CALLS = 64
/** Maximum size of unread results in bytes; above it no further calls are accepted. */
export const MAX_UNREAD_BYTES = 32 * 1024 * 1024
export const MAX_LOG_LINES = 2000
export const MAX_STDERR_CHARACTERS = 4000
