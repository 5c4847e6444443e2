import type { Flag } from './command.ts'

/** `--no-cache` flag of commands that render a folder. */
export const NO_CACHE_FLAG: Flag = {
  help: 'Make everything anew: nothing that earlier builds have stored is used, and nothing stored.',
}
