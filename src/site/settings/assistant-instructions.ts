/** Reads a site's instructions for the assistant, `.mintlify/Assistant.md`. It makes no page. */

import type { Problem } from '../../base/errors/problem.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import { readTextFile } from '../text.ts'

const FILE = /^\.mintlify\/assistant\.md$/i
const MOST_CHARACTERS = 8000
const MOST_BYTES = 1 << 20

export interface AssistantInstructions {
  /** The file that was read. */
  files: string[]
  /** Null without such a file, and for an empty one. */
  text: string | null
}

export async function readAssistantInstructions(
  tree: FileTree,
  problems: Problem[],
): Promise<AssistantInstructions> {
  const file = [...tree.files.keys()].filter((path) => FILE.test(path)).sort()[0]
  if (file === undefined) return { files: [], text: null }
  const isRead = (tree.files.get(file)?.sizeBytes ?? 0) <= MOST_BYTES
  const text = isRead ? (await readTextFile(tree, file)).replaceAll('\u0000', '').trim() : ''
  if (!isRead || text.length > MOST_CHARACTERS)
    problems.push({
      file,
      line: null,
      code: 'assistant.long',
      level: 'warning',
      message: isRead
        ? `The assistant reads the first ${MOST_CHARACTERS.toLocaleString('en')} characters of the file.`
        : 'The file is larger than 1 MB, and the assistant does not read it.',
      remedy: 'Shorten it to what every answer needs.',
    })
  return { files: [file], text: text.slice(0, MOST_CHARACTERS).toWellFormed() || null }
}
