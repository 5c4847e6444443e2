/** Names of branches and the texts that git and forges keep. */

/** Of the title; the id makes it the job's own. */
const SLUG_LENGTH = 48
const ID_LENGTH = 8

/** `octavo/<title>-<id>`: lower-case words of the title, the last characters of the job's id. */
export function branchName(title: string, jobId: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replace(/^-+|(?<!-)-+$/g, '')
  return `octavo/${words === '' ? 'docs' : words}-${jobId.slice(-ID_LENGTH)}`
}
