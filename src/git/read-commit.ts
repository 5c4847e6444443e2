/** What a commit says of itself, read from the object as git keeps it. */
import type { CommitSays } from '../base/files/file-tree.ts'
import { storableText } from '../base/text/storable.ts'

const TITLE_KEPT = 200
const AUTHOR_KEPT = 100

/** Null for a text that is no commit. The address of the author is left out: lists are shown to many. */
export function readCommit(text: string): CommitSays | null {
  const end = text.indexOf('\n\n')
  const head = (end < 0 ? text : text.slice(0, end)).split('\n')
  const author = personOf(head, 'author ')
  const committer = personOf(head, 'committer ') ?? author
  if (author === null || committer === null) return null
  const message = end < 0 ? '' : text.slice(end + 2).trimStart()
  const title = message.split('\n', 1)[0] ?? ''
  return {
    title: shown(title, TITLE_KEPT),
    author: shown(author.name, AUTHOR_KEPT),
    committedAt: committer.at,
  }
}

/** `author Ada Lovelace <ada@example.com> 1763888400 +0000`. */
function personOf(head: readonly string[], key: string): { name: string; at: Date } | null {
  const line = head.find((one) => one.startsWith(key))
  if (line === undefined) return null
  const mail = line.indexOf(' <')
  const seconds = Number(
    line
      .slice(line.lastIndexOf('>') + 1)
      .trim()
      .split(' ', 1)[0],
  )
  // PostgreSQL and JavaScript end at different years, and a commit may say any.
  const isTime = Number.isFinite(seconds) && Math.abs(seconds) < 32_503_680_000
  return {
    name: line.slice(key.length, mail < 0 ? undefined : mail),
    at: new Date(isTime ? seconds * 1000 : 0),
  }
}

function shown(text: string, most: number): string {
  const line = storableText(text)
    .replace(/\p{Cc}/gu, ' ')
    .trim()
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line
}
