/** update_navigation: edits the navigation of docs.json by operations. */
import { type Static, Type } from 'typebox'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { findClosest } from '../../../site/navigation/closest.ts'
import { isPageFile, normalizePagePath } from '../../../site/navigation/routes.ts'
import { writeText } from '../edit/change-files.ts'
import {
  addGroup,
  addPage,
  collectEdits,
  findSharers,
  moveGroup,
  movePage,
  type NavDraft,
  type NavTarget,
  openDraft,
  readDraftOutline,
  removeGroup,
  removePage,
  renameGroup,
} from '../edit/edit-navigation.ts'
import { findEntry } from '../edit/find-entry.ts'
import { allEntries, allPages, entryName, type NavEntry } from '../edit/navigation-outline.ts'
import { isShown, quotePath } from '../edit/paths.ts'
import { checkWritable } from '../edit/writable.ts'
import { defineTool } from '../loop/define-tool.ts'
import { fitLines, plural } from '../loop/result-text.ts'
import { type ToolContext, ToolRefusal } from '../loop/tool.ts'

/** Number of lines above which an outline first omits its pages. */
const MAX_WHOLE = 250

const PAGE = 300

const KINDS: Record<NavEntry['kind'], string> = {
  navigation: 'navigation',
  group: 'group',
  languages: 'language',
  versions: 'version',
  products: 'product',
  tabs: 'tab',
  dropdowns: 'dropdown',
  anchors: 'anchor',
  menu: 'item',
}

const Input = Type.Object(
  {
    operation: Type.Enum([
      'show',
      'add_page',
      'move_page',
      'remove_page',
      'add_group',
      'rename_group',
      'move_group',
      'remove_group',
    ]),
    page: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 400,
        description: 'The page, such as "guides/setup". For add_page, move_page, remove_page.',
      }),
    ),
    from: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: 20,
        description:
          'Labels from the outside in. rename_group, move_group, remove_group: the group. move_page, remove_page: where the page stands now, when it stands in several places.',
      }),
    ),
    within: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: 20,
        description:
          'Labels from the outside in, of the entry that the page or group goes into, such as ["Guides", "Get started"]: tabs, versions, languages and so on by their names, then groups. Empty for the navigation itself.',
      }),
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Name of the new group, or new name of a group.',
      }),
    ),
    pages: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 400 }), {
        maxItems: 500,
        description: 'Pages of a new group.',
      }),
    ),
    index: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Place in the list, from 0. Last when left out.' }),
    ),
    before: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 400,
        description: 'Page or group of the list to stand before.',
      }),
    ),
    after: Type.Optional(
      Type.String({ minLength: 1, maxLength: 400, description: 'Page or group of the list to stand after.' }),
    ),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, description: 'For show: how many lines to pass over.' }),
    ),
  },
  { additionalProperties: false },
)
type Input = Static<typeof Input>

export const updateNavigation = defineTool({
  name: 'update_navigation',
  description:
    'Shows or changes the navigation of docs.json, and leaves everything else in the file as it is written: adds, moves and removes pages, adds, renames, moves and removes groups. Pages must exist. Other things in docs.json are changed with edit_file.',
  input: Input,
  run: async (context, input) => {
    const draft = openDraft(context.workspace)
    if (input.operation === 'show') {
      return showNavigation(
        findEntry(await readDraftOutline(draft), input.within ?? [], 'within'),
        input.offset ?? 0,
      )
    }
    const outcome = await change(context, draft, input)
    const edits = await collectEdits(draft, context.workspace.tree)
    for (const { file } of edits) await checkWritable(context.workspace, file)
    for (const { file, text } of edits) await writeText(context, file, text)
    return `${outcome} Changed: ${edits.map(({ file }) => quotePath(file)).join(', ')}.`
  },
})

/** Returns one or two sentences about what was done. */
async function change({ workspace }: ToolContext, draft: NavDraft, input: Input): Promise<string> {
  switch (input.operation) {
    case 'add_page': {
      const page = existingPage(workspace.tree, requireField(input, 'page'))
      await addPage(draft, page, toTarget(input))
      return `Added ${quotePath(page)}. ${await describeSurroundings(draft, input.within ?? [])}`
    }
    case 'move_page': {
      const page = requireField(input, 'page')
      await movePage(draft, page, input.from, toTarget(input))
      return `Moved ${quotePath(page)}. ${await describeSurroundings(draft, input.within ?? [])}`
    }
    case 'remove_page': {
      const page = requireField(input, 'page')
      const entry = await removePage(draft, page, input.from)
      return `Removed ${quotePath(page)}. ${await describeSurroundings(draft, entry.labels)}`
    }
    case 'add_group': {
      const pages = (input.pages ?? []).map((page) => existingPage(workspace.tree, page))
      await addGroup(draft, { name: requireField(input, 'name'), pages }, toTarget(input))
      const empty = pages.length === 0 ? ' It has no pages yet: add some with add_page.' : ''
      return `Added the group.${empty} ${await describeSurroundings(draft, input.within ?? [])}`
    }
    case 'rename_group':
      await renameGroup(draft, requireField(input, 'from'), requireField(input, 'name'))
      return `Renamed the group to ${quotePath(requireField(input, 'name'))}.`
    case 'move_group':
      await moveGroup(draft, requireField(input, 'from'), toTarget(input))
      return `Moved the group. ${await describeSurroundings(draft, input.within ?? [])}`
    case 'remove_group': {
      const orphans = await removeGroup(draft, requireField(input, 'from'))
      if (orphans.length === 0) return 'Removed the group; its pages stand elsewhere too, or it had none.'
      const named = orphans.slice(0, 50).map(quotePath).join(', ')
      return `Removed the group. ${plural(orphans.length, 'page is', 'pages are')} in no menu now: ${named}.`
    }
    case 'show':
      return ''
  }
}

function requireField<Key extends 'page' | 'name' | 'from'>(input: Input, key: Key): NonNullable<Input[Key]> {
  const value = input[key]
  if (value === undefined || (Array.isArray(value) && value.length === 0)) {
    throw new ToolRefusal(`${input.operation} needs ${key}.`)
  }
  return value as NonNullable<Input[Key]>
}

function toTarget(input: Input): NavTarget {
  const { within, index, before, after } = input
  if (within === undefined) {
    throw new ToolRefusal(
      `${input.operation} needs within: the labels of the entry it goes into. See them with operation show.`,
    )
  }
  if ([index, before, after].filter((value) => value !== undefined).length > 1) {
    throw new ToolRefusal('Give one of index, before and after.')
  }
  return {
    within,
    ...(index === undefined ? {} : { index }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }
}

/** Returns the page as the navigation refers to it: the path of its file without extension. */
function existingPage(tree: FileTree, text: string): string {
  const path = normalizePagePath(text.normalize('NFC'))
  for (const end of ['.mdx', '.md', '/index.mdx', '/index.md']) {
    if (tree.files.has(path + end) && isShown(path + end)) return (path + end).replace(/\.mdx?$/, '')
  }
  const pages = [...tree.files.keys()].filter((file) => isPageFile(file) && isShown(file))
  const closest = findClosest(path, pages)
  throw new ToolRefusal(
    `There is no page ${quotePath(path)}. ${closest ? `Did you mean ${quotePath(closest)}? ` : ''}Write its file first.`,
  )
}

/** Describes the current list and the entries that share it. */
async function describeSurroundings(draft: NavDraft, labels: readonly string[]): Promise<string> {
  const outline = await readDraftOutline(draft)
  const entry = findEntry(outline, labels, 'within')
  const sharers = findSharers(outline, entry)
  const shared = sharers.length === 0 ? '' : ` The same list shows in ${sharers.map(entryName).join(', ')}.`
  return `In ${entryName(entry)} there is now:\n${entryLines(entry, 40).join('\n')}\n${shared}`.trim()
}

/** Formats the navigation as an indented outline for the model. */
function showNavigation(entry: NavEntry, offset: number): string {
  const isWhole = allPages(entry).length + allEntries(entry).length <= MAX_WHOLE || entry.entries.length === 0
  const lines = outlineLines(entry, 0, isWhole)
  const shown = fitLines(lines.slice(offset, offset + PAGE))
  const end = offset + shown.length
  const notes = [
    end < lines.length ? `(More follow: ask again with offset ${end}.)` : '',
    isWhole ? '' : '(Pages are left out; see those of an entry with within.)',
  ]
  return [`${entryName(entry)}:`, ...shown, ...notes].filter(Boolean).join('\n')
}

/** Lists the items of one entry in order; those of deeper lists are only counted. */
function entryLines(entry: NavEntry, max: number): string[] {
  const items = orderItems(entry)
  const lines = items.map((item) => ('route' in item ? item.text : titleOf(item, false)))
  return lines.length <= max ? lines : [...lines.slice(0, max), `(and ${lines.length - max} more)`]
}

type Item = NavEntry | NavEntry['pages'][number]

function orderItems(entry: NavEntry): Item[] {
  const items: Item[] = [...entry.pages.filter(({ place }) => place !== null), ...entry.entries]
  const keyOf = ({ place }: Item) => place?.list.offset ?? 0
  return items.sort((a, b) => keyOf(a) - keyOf(b) || (a.place?.index ?? 0) - (b.place?.index ?? 0))
}

function outlineLines(entry: NavEntry, depth: number, isWhole: boolean): string[] {
  const indent = '  '.repeat(depth)
  return orderItems(entry).flatMap((item) => {
    if ('route' in item) return isWhole ? [indent + item.text] : []
    return [indent + titleOf(item, isWhole), ...outlineLines(item, depth + 1, isWhole)]
  })
}

function titleOf(entry: NavEntry, isWhole: boolean): string {
  const root = entry.pages.find(({ place }) => place === null)
  const count = allPages(entry).length
  const notes = [root ? `title leads to ${root.text}` : '', isWhole ? '' : plural(count, 'page')].filter(
    Boolean,
  )
  const label = JSON.stringify(entry.labels.at(-1) ?? '')
  return `${KINDS[entry.kind]} ${label}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`
}
