/** Finds the settings file of a site: docs.json, or mint.json in the older format. */

import type { Problem } from '../../base/errors/problem.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import { isFields, type JsonNode, parseJson } from '../json.ts'
import { SiteUnloadableError } from '../problems.ts'
import { expandReferences } from '../references.ts'
import { readTextFile } from '../text.ts'
import { isOldSettings, moveMetatags, upgradeOldSettings } from './upgrade-mint-json.ts'

export interface Settings {
  root: JsonNode
  files: ReadonlySet<string>
}

export async function loadSettings(tree: FileTree, problems: Problem[]): Promise<Settings> {
  const file = findSettingsFile(tree, problems)
  const parsed = parseJson(problems, file, await readTextFile(tree, file))
  if (parsed === null) throw new SiteUnloadableError(problems)
  const { root, files } = await expandReferences(tree, problems, parsed)
  if (!isFields(root.value)) {
    problems.push({
      file,
      line: 1,
      code: 'config.type',
      level: 'error',
      message: `${file} must contain a JSON object.`,
      remedy: 'Write an object with at least name, colors and navigation.',
    })
    throw new SiteUnloadableError(problems)
  }
  const upgraded = isOldSettings(root) ? upgradeOldSettings(problems, root) : moveMetatags(problems, root)
  return { root: upgraded, files }
}

function findSettingsFile(tree: FileTree, problems: Problem[]): string {
  for (const file of ['docs.json', 'mint.json']) if (tree.files.has(file)) return file
  const elsewhere = [...tree.files.keys()]
    .filter((path) => /\/(?:docs|mint)\.json$/.test(path) && !path.includes('node_modules/'))
    .sort((a, b) => a.split('/').length - b.split('/').length)[0]
  problems.push({
    file: 'docs.json',
    line: null,
    code: 'config.missing',
    level: 'error',
    message: 'There is no docs.json in the docs folder.',
    remedy: elsewhere
      ? `Set the docs folder to ${elsewhere.slice(0, elsewhere.lastIndexOf('/'))}, which contains ${elsewhere}.`
      : 'Add a docs.json with name, colors and navigation.',
  })
  throw new SiteUnloadableError(problems)
}
