/**
 * Files that the agent may write: those that make up a docs site, by folder and extension, and nothing else. This is an
 * allow list, because tools, build systems and other agents act on files by their names, and new names appear every
 * month.
 *
 *   pages            .mdx anywhere; existing .md that is not instructions for other agents
 *   parts of pages   .jsx and .tsx below snippets/
 *   settings         docs.json, and the files that its "$ref" names
 *   API descriptions .json and .yaml files that docs.json names, and new ones called openapi or asyncapi
 *   the look         .css, .svg drawings, and validated images
 *   for machines     llms.txt and llms-full.txt at the root
 */
import { posix } from 'node:path'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { matchesAny } from '../../../base/text/path-pattern.ts'
import { isFields, isList, type JsonNode, parseJson } from '../../../site/json.ts'
import { decodeText } from '../../../site/text.ts'
import type { Workspace } from '../publish/workspace.ts'
import { isImageFile } from '../review/change-content.ts'
import { isHidden, refusePath } from './paths.ts'

const SETTINGS = new Set(['docs.json', 'mint.json'])
const LLMS_TEXT_FILES = new Set(['llms.txt', 'llms-full.txt'])
const DATA_FILE = /\.(?:json|ya?ml)$/
const API_DESCRIPTION_FILE = /^(?:openapi|asyncapi)\.(?:json|ya?ml)$/
/** Names of files with instructions for other agents, in any case, because many file systems ignore case. */
const AGENT_INSTRUCTION_FILE =
  /^(?:agents?|claude|gemini|qwen|crush|warp|codex|cursor|copilot|skills?|rules|memory|conventions|instructions|prompts?|system|readme|contributing|codeowners|security)(?:[-_ ].*)?\.md$/
const MAX_SETTINGS_FILES = 200
const DESCRIPTION_KEYS = new Set(['openapi', 'asyncapi'])

export const WRITABLE_SENTENCE =
  'You can write pages (.mdx anywhere, .md only if the file exists), .jsx and .tsx files in snippets/, .css, .svg, docs.json and the files included with "$ref", API descriptions that docs.json uses or new ones named openapi.yaml or openapi.json, and llms.txt. For all other files, describe the required changes in the summary.'

function scopeMessage(scope: readonly string[]): string {
  const patterns = scope.map((pattern) => JSON.stringify(pattern)).join(', ')
  return `This job can change only files that match ${patterns}, in the docs folder.`
}

/** Rejects with ToolRefusal when the agent may not change or create this file. */
export async function checkWritable(
  { base, scope }: Pick<Workspace, 'base' | 'scope'>,
  path: string,
  content: 'text' | 'picture' = 'text',
): Promise<void> {
  if (path === '') refusePath('.', 'is a folder')
  if (isHidden(path)) refusePath(path, 'is used by tools and is not part of the documentation')
  for (const taken of listProtectedPaths(base)) {
    if (path === taken || path.startsWith(`${taken}/`)) refusePath(path, 'is a symbolic link or inside one')
  }
  const isPart =
    content === 'picture' ? hasPlainCharacters(path) && isImageFile(path) : await isPartOfSite(base, path)
  if (!isPart) refusePath(path, `is not a type of file that you can write. ${WRITABLE_SENTENCE}`)
  if (!matchesAny(scope, path))
    refusePath(
      path,
      `is outside the scope of this job. ${scopeMessage(scope)} Describe other required changes in the summary.`,
    )
}

async function isPartOfSite(base: FileTree, path: string): Promise<boolean> {
  if (!hasPlainCharacters(path)) return false
  const folder = posix.dirname(path)
  const name = posix.basename(path)
  const dots = name.split('.').length - 1
  if (SETTINGS.has(path)) return path === 'docs.json' || base.files.has(path)
  if (DATA_FILE.test(name))
    return API_DESCRIPTION_FILE.test(name) || (await getReferencedFiles(base)).has(path)
  if (name.endsWith('.mdx')) return true
  // `vite.config.jsx`, `x.prompt.md`: names with two dots often have a meaning for some tool.
  if (dots !== 1) return false
  if (name.endsWith('.md')) return base.files.has(path) && isPlainPage(name)
  if (/\.(?:jsx|tsx)$/.test(name)) return folder === 'snippets' || folder.startsWith('snippets/')
  return LLMS_TEXT_FILES.has(path) || /\.(?:css|svg)$/.test(name)
}

/** Rejects look-alike characters and characters that file systems drop, because names with them are misleading. */
function hasPlainCharacters(path: string): boolean {
  return path.normalize('NFKC') === path && !/[\p{Default_Ignorable_Code_Point}\p{Cc}]/u.test(path)
}

function isPlainPage(name: string): boolean {
  return !AGENT_INSTRUCTION_FILE.test(name.toLowerCase()) && /\p{Ll}/u.test(name.slice(0, -'.md'.length))
}

/** Yields symlinks, whose target a write would change, and files left out of the tree, which a write would replace. */
function* listProtectedPaths(base: FileTree): Iterable<string> {
  yield* base.links ?? []
  for (const { path } of base.refused) yield path
}

const referencedFiles = new WeakMap<FileTree, Promise<ReadonlySet<string>>>()

/**
 * Returns the files that docs.json included or named as API descriptions before the job started. The agent therefore
 * cannot make further files writable by editing docs.json.
 */
function getReferencedFiles(base: FileTree): Promise<ReadonlySet<string>> {
  const known = referencedFiles.get(base) ?? findReferencedFiles(base)
  referencedFiles.set(base, known)
  return known
}

async function findReferencedFiles(base: FileTree): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const queue = [...SETTINGS].filter((file) => base.files.has(file))
  const seen = new Set(queue)
  for (const file of queue) {
    if (seen.size > MAX_SETTINGS_FILES) break
    const text = decodeText(await base.read(file)).text
    for (const { key, value } of findReferencedValues(parseJson([], file, text))) {
      const from = key === '$ref' ? posix.dirname(file) : '.'
      const path = posix.normalize(value.startsWith('/') ? value.slice(1) : posix.join(from, value))
      if (!DATA_FILE.test(path) || !base.files.has(path)) continue
      found.add(path)
      if (key !== '$ref' || seen.has(path)) continue
      seen.add(path)
      queue.push(path)
    }
  }
  return found
}

function findReferencedValues(root: JsonNode | null): { key: string; value: string }[] {
  const names: { key: string; value: string }[] = []
  const open: { key: string; node: JsonNode }[] = root === null ? [] : [{ key: '', node: root }]
  for (const { key, node } of open) {
    const { value } = node
    const isDescription = DESCRIPTION_KEYS.has(key)
    if (typeof value === 'string' && (isDescription || key === '$ref')) names.push({ key, value })
    if (isList(value)) for (const one of value) open.push({ key, node: one })
    if (isFields(value)) {
      // `{ "source": …, "directory": … }` is allowed instead of a name.
      for (const [name, one] of value)
        open.push({ key: isDescription && name === 'source' ? key : name, node: one })
    }
  }
  return names
}
