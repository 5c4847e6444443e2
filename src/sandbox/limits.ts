/**
 * Every bound of the processes in which untrusted text is read. A process that passes one is killed with all that it
 * started; what it worked on fails with the reason.
 */

export interface ProcessLimits {
  /** Bytes of memory in use. Watched from outside; the heap is a little smaller, so that most cases end in it. */
  memoryBytes: number
  /** Seconds of processor time in all, of all its threads. */
  cpuSeconds: number
  /** Seconds of processor time between two signs of progress: what is stuck on one text burns this much. */
  silentCpuSeconds: number
  /** Seconds by the clock between two signs of progress: for what waits for ever, and where processor time is unknown. */
  silentWallSeconds: number
}

/** Unless the operator sets another. Chosen for sites of tens of thousands of pages; larger ones need a larger one. */
export const SITE_MEMORY_MB = 2048
/** Before a site whose process was ended is tried again, unless the operator sets another; twice as many the next time. */
export const SITE_RETRY_SECONDS = 30
/** The least with which the program itself runs. */
export const LEAST_SITE_MEMORY_MB = 256

/**
 * For a site of so many files and bytes of text. Chosen wide, for slow machines and large pages, so that only what is
 * stuck or grows without end meets them. Every file that is read is a sign of progress. The longest silent stretches are
 * those over all pages at once (links, the search index, the manifest).
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

/** Of the memory of a process; the rest is for buffers, threads and the program. */
export const HEAP_SHARE = 0.75
/** Milliseconds between two looks at a process. */
export const WATCH_MS = 100

/** Kilobytes of address space for `ulimit`: V8 reserves far more than it uses, and 10 GB for each memory of WebAssembly. */
export const SITE_ADDRESS_SPACE = 100_000_000
/** Seconds of processor time for `ulimit`: for a process that nobody watches any more. */
export const SITE_PROCESSOR_SECONDS = 14_400

/** The same of a render child, which is replaced long before. */
export const RENDER_ADDRESS_SPACE = 12_000_000
export const RENDER_PROCESSOR_SECONDS = 600
/** Bytes of memory in use by a render child. */
export const RENDER_MEMORY = 1_200_000_000
/** Megabytes of a half of the young heap: with V8's own choice a process takes 35 to 70 more, and is no faster. */
export const SEMI_SPACE_MB = 8
/** The same of a render child, whose pages live as long as it takes to fill this: smaller ones are copied over and over. */
export const RENDER_SEMI_SPACE_MB = 16
/** Megabytes of heap of a render child, and of which it fills so many before it is first collected as a whole. */
export const RENDER_HEAP_MB = 768
export const RENDER_FIRST_HEAP_MB = 64

/** Bytes of memory of the process that runs the jobs: it holds results, and git's answers while they are passed on. */
export const WORKER_MEMORY = 2_147_483_648
/** Megabytes of its heap. */
export const WORKER_HEAP_MB = 1024
/** Milliseconds in which its event loop gives no sign before it is started anew; the queue takes its jobs after 10,000. */
export const WORKER_SILENT_MS = 60_000
/** Milliseconds between two of its signs. */
export const WORKER_BEAT_MS = 1000
/** Milliseconds between two looks at it. */
export const WORKER_WATCH_MS = 1000

/** Bytes; a longer frame means that the other side is out of its mind. */
export const LONGEST_FRAME = 256 * 1024 * 1024
/** Calls of the other side that are worked on at once; more wait in its pipe. */
export const CALLS_AT_ONCE = 64
/** Bytes of answers that wait to be read; above it no further call is taken. */
export const WAITING_BYTES = 32 * 1024 * 1024
/** Lines of log that one process may write. */
export const LOG_LINES = 2000
/** Characters of what a process wrote to standard error that are kept. */
export const LAST_WORDS = 4000
