/** Changes files for all tools, which have no other way to do so. Enforces the path rules and the limits of the job. */
import type { FileTree } from '../../../base/files/file-tree.ts'
import { decodeText } from '../../../site/text.ts'
import { OMISSION_TEXT } from '../loop/compact-conversation.ts'
import { type ToolContext, ToolRefusal } from '../loop/tool.ts'
import type { Workspace } from '../publish/workspace.ts'
import {
  type Content,
  contentSize,
  type Image,
  isImageFile,
  MAX_PICTURE_BYTES,
  toImage,
} from '../review/change-content.ts'
import { checkNewName, quotePath } from './paths.ts'
import { checkWritable } from './writable.ts'

export const MAX_FILE_BYTES = 1 << 20
/** Number of bytes examined to detect binary files, as in git. */
const PROBE_BYTES = 8000
const SETTINGS_FILES = new Set(['docs.json', 'mint.json'])

type ChangeContext = Pick<ToolContext, 'workspace' | 'caps' | 'said'>

/**
 * Creates or replaces a file. Throws ToolRefusal when that is not allowed or exceeds the limits of the job.
 * `movedFrom` is a file that is deleted in the same step.
 */
export async function writeText(
  context: ChangeContext,
  path: string,
  text: string,
  movedFrom: string | null = null,
): Promise<void> {
  const { workspace } = context
  await checkWritable(workspace, path)
  if (!workspace.tree.files.has(path)) checkNewName(workspace.tree, path, movedFrom)
  else await readText(workspace.tree, path)
  if (text.includes('\0'))
    throw new ToolRefusal('The text contains a NUL character, which text files cannot contain.')
  if (!text.isWellFormed()) {
    throw new ToolRefusal(
      'The text contains an incomplete character (a lone surrogate). Write it again completely.',
    )
  }
  if (text.includes(OMISSION_TEXT)) {
    throw new ToolRefusal(
      'The text contains a placeholder for omitted text. Read the file, and write the full text.',
    )
  }
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) {
    throw new ToolRefusal('The text is larger than 1 MiB. Split it into several files.')
  }
  await saveContent(context, path, text)
}

/** Writes an image, which may only replace an image. Its bytes have been validated. */
export async function writeImage(
  context: ChangeContext,
  path: string,
  picture: Image,
  movedFrom: string | null = null,
): Promise<void> {
  const { workspace } = context
  await checkWritable(workspace, path, 'picture')
  if (!workspace.tree.files.has(path)) checkNewName(workspace.tree, path, movedFrom)
  await saveContent(context, path, picture)
}

async function saveContent(context: ChangeContext, path: string, content: Content): Promise<void> {
  checkCaps(context, path, content)
  await context.workspace.write(path, content)
  invalidateFinish(context)
}

/** Moves a text or an image to an unused name; throws like `writeText` and `deleteContent`. */
export async function moveContent(context: ChangeContext, from: string, to: string): Promise<void> {
  const { tree } = context.workspace
  if (isImageFile(from)) await writeImage(context, to, await readPicture(tree, from), from)
  else await writeText(context, to, await readText(tree, from), from)
  await deleteContent(context, from)
}

export async function deleteContent(context: ChangeContext, path: string): Promise<void> {
  await checkDeletable(context.workspace, path)
  if (!isImageFile(path)) await readText(context.workspace.tree, path)
  checkCaps(context, path, null)
  context.workspace.delete(path)
  invalidateFinish(context)
}

/** Rejects with ToolRefusal when the agent may not delete this file. */
export async function checkDeletable(
  workspace: Pick<Workspace, 'base' | 'scope'>,
  path: string,
): Promise<void> {
  await checkWritable(workspace, path, isImageFile(path) ? 'picture' : 'text')
  if (SETTINGS_FILES.has(path)) {
    throw new ToolRefusal(`${quotePath(path)} is required by the site. Change it instead.`)
  }
}

/**
 * Returns the text of an existing file, byte order mark included. Throws ToolRefusal when it is not text or too long
 * to read.
 */
export async function readText(tree: FileTree, path: string): Promise<string> {
  const sizeBytes = tree.files.get(path)?.sizeBytes ?? 0
  if (sizeBytes > MAX_FILE_BYTES) {
    throw new ToolRefusal(
      `${quotePath(path)} is larger than 1 MiB (${sizeBytes} bytes) and cannot be changed. Read API descriptions with read_api.`,
    )
  }
  const bytes = await tree.read(path)
  const text = decodeFileText(bytes)
  if (text === null) throw new ToolRefusal(`${quotePath(path)} is not a text file and cannot be changed.`)
  return hasByteOrderMark(bytes) ? `\ufeff${text}` : text
}

async function readPicture(tree: FileTree, path: string): Promise<Image> {
  const sizeBytes = tree.files.get(path)?.sizeBytes ?? 0
  if (sizeBytes > MAX_PICTURE_BYTES)
    throw new ToolRefusal(
      `${quotePath(path)} has ${sizeBytes} bytes, more than ${MAX_PICTURE_BYTES}, and cannot be changed.`,
    )
  return toImage(await tree.read(path))
}

/** Returns whether a file starts with a byte order mark, which changes preserve. */
export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

export function decodeFileText(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, PROBE_BYTES).includes(0)) return null
  const { text } = decodeText(bytes)
  return text.includes('\0') ? null : text
}

export async function findText(tree: FileTree, path: string): Promise<string | null> {
  const size = tree.files.get(path)?.sizeBytes
  if (size === undefined || size > MAX_FILE_BYTES) return null
  return decodeFileText(await tree.read(path))
}

export async function findContent(tree: FileTree, path: string): Promise<Content | null> {
  if (!isImageFile(path)) return await findText(tree, path)
  const size = tree.files.get(path)?.sizeBytes
  return size === undefined || size > MAX_PICTURE_BYTES ? null : toImage(await tree.read(path))
}

/** Discards the agent's final statement, since it described the files before this change. */
function invalidateFinish(context: ChangeContext): void {
  context.said.finish = null
}

const CAP_ADVICE = 'Finish with the current changes, and list the remaining work in the summary.'

function checkCaps({ workspace, caps }: ChangeContext, path: string, content: Content | null): void {
  const files = workspace.changes.size + (workspace.changes.has(path) ? 0 : 1)
  if (files > caps.files) {
    throw new ToolRefusal(`Not done: one job can change at most ${caps.files} files. ${CAP_ADVICE}`)
  }
  let bytes = contentSize(content)
  for (const [other, changed] of workspace.changes) if (other !== path) bytes += contentSize(changed)
  if (bytes > caps.bytes) {
    throw new ToolRefusal(`Not done: one job can write at most ${caps.bytes} bytes in total. ${CAP_ADVICE}`)
  }
}
