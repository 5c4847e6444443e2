/** What changed in a code repository between two commits, in the words of a tool. */
import type { CodeRepository, Differences } from '../../../git/code-repository.ts'
import { isShown, normalizePath } from '../edit/paths.ts'
import { fitLines, MAX_RESULT_BYTES, plural } from '../loop/result-text.ts'
import { ToolRefusal } from '../loop/tool.ts'

export interface WantedDifference {
  from: string
  /** Left out: the commit that is read. */
  to?: string
  path?: string
  offset?: number
}

const MOST_FILES = 100
/** Lines of a patch that is shown with the list. */
const SHORT_PATCH = 200
const ASK = 'Ask with path for the patch of a file or folder.'
/** Characters of a patch at a time: few take more than one byte. */
const PIECE = MAX_RESULT_BYTES / 2
const LIST_BYTES = 6000
const FULL_COMMIT = /^([0-9a-f]{40}|[0-9a-f]{64})$/
/** A part of a name cannot be asked for: everything would be fetched to look for it. */
const PART_OF_COMMIT = /^[0-9a-f]{7,63}$/

/** Throws ToolRefusal, and what the repository throws. */
export async function showDifference(
  repository: CodeRepository,
  { from, to, path = '', offset = 0 }: WantedDifference,
  current: string,
  signal: AbortSignal,
): Promise<string> {
  const place = normalizePath(path)
  const first = await commitOf(repository, from, current, signal)
  const second = to === undefined ? current : await commitOf(repository, to, current, signal)
  if (first === second) return 'Nothing differs: both are the same commit.'
  const title = `From ${from} (${first.slice(0, 12)}) to ${to ?? 'what is read'} (${second.slice(0, 12)})`
  const commits = { from: first, to: second }
  // Names with a dot are shown by no tool: they may hold secrets.
  const wanted = { ...commits, path: place, isIn: isShown }
  const { total, files } = await repository.listDifferences(wanted, MOST_FILES, signal)
  if (total === 0) return `${title}: nothing differs.`
  const left = total - files.length
  const list = [
    `${title}: ${plural(total, 'file')}`,
    ...fitLines(files.map(lineOf), LIST_BYTES),
    ...(left > 0 ? [`…and ${left} more: name a folder with path.`] : []),
  ].join('\n')
  const lines = files.reduce((sum, { added, removed }) => sum + (added ?? 0) + (removed ?? 0), 0)
  if (left > 0 || (place === '' && lines > SHORT_PATCH)) return `${list}\n${ASK}`
  const paths = files.map((file) => file.path)
  const patch = await repository.readPatch(commits, paths, signal)
  return patch.length > PIECE && place === ''
    ? `${list}\n${ASK}`
    : `${offset > 0 ? title : list}\n\n${pieceOf(patch, offset)}`
}

function lineOf({ path, added, removed }: Differences['files'][number]): string {
  return `${path} (${added === null ? 'no text' : `+${added} −${removed}`})`
}

async function commitOf(
  repository: CodeRepository,
  name: string,
  current: string,
  signal: AbortSignal,
): Promise<string> {
  if (PART_OF_COMMIT.test(name) && !FULL_COMMIT.test(name)) {
    if (current.startsWith(name)) return current
    throw new ToolRefusal('Name a commit by its full name, or use a branch or a tag; list_code has the tags.')
  }
  return name === 'HEAD' ? current : await repository.fetchCommit(name, signal)
}

function pieceOf(patch: string, offset: number): string {
  const shown = patch.slice(offset, offset + PIECE)
  const end = offset + shown.length
  return end < patch.length ? `${shown}\n(More follows: ask again with offset ${end}.)` : shown
}
