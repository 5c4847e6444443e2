/** The only environment variables that tests pass on to our programs. The compile cache halves their startup time. */
export const PROGRAM_ENV: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '',
  ...(process.env.XDG_CACHE_HOME ? { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME } : {}),
  ...(process.env.NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } : {}),
}
