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
  findEntriesSharingNode,
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
import { allEntries, allPages, entryName, NAME_KEYS, type NavEntry } from '../edit/navigation-outline.ts'
import { isShown, quotePath } from '../edit/paths.ts'
import { checkWritable } from '../edit/writable.ts'
import { defineTool } from '../loop/define-tool.ts'
import { fitLines, plural } from '../loop/result-text.ts'
import { type ToolContext, ToolRefusal } from '../loop/tool.ts'

/** Number of lines above which the first outline omits the pages. */
const MAX_WHOLE_OUTLINE_LINES = 250
const PAGE = 300

const KINDS: Record<NavEntry['kind'], string> = { navigation: 'navigation', ...NAME_KEYS }

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
          'Labels, outermost first. rename_group, move_group, remove_group: the group. move_page, remove_page: the current position of the page, if it occurs more than once.',
      }),
    ),
    within: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: 20,
        description:
          'Labels, outermost first, of the entry to add the page or group to, such as ["Guides", "Get started"]: names of tabs, versions, languages and so on, then groups. Empty for the top level of the navigation.',
      }),
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Name of the new group, or new name of the group.',
      }),
    ),
    pages: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 400 }), {
        maxItems: 500,
        description: 'Pages of a new group.',
      }),
    ),
    index: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Position in the list, from 0. Default: last.' }),
    ),
    before: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 400,
        description: 'Insert before this page or group of the list.',
      }),
    ),
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 400,
        description: 'Insert after this page or group of the list.',
      }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0, description: 'With `show`: number of lines to skip.' })),
  },
  { additionalProperties: false },
)
type Input = Static<typeof Input>

export const updateNavigation = defineTool({
  name: 'update_navigation',
  description:
    'Shows or changes the navigation in docs.json, without changing the rest of the file: adds, moves and removes pages; adds, renames, moves and removes groups. Pages must exist. Use edit_file for other changes to docs.json.',
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
      const empty = pages.length === 0 ? ' It has no pages yet. Add some with add_page.' : ''
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
      if (orphans.length === 0) return 'Removed the group. It had no pages that are not listed elsewhere.'
      const named = orphans.slice(0, 50).map(quotePath).join(', ')
      return `Removed the group. ${plural(orphans.length, 'page is', 'pages are')} no longer in the navigation: ${named}.`
    }
    case 'show':
      return ''
  }
}

function requireField<Key extends 'page' | 'name' | 'from'>(input: Input, key: Key): NonNullable<Input[Key]> {
  const value = input[key]
  if (value === undefined || (Array.isArray(value) && value.length === 0)) {
    throw new ToolRefusal(`${input.operation} requires ${key}.`)
  }
  return value as NonNullable<Input[Key]>
}

function toTarget(input: Input): NavTarget {
  const { within, index, before, after } = input
  if (within === undefined) {
    throw new ToolRefusal(
      `${input.operation} requires within: the labels of the target entry. List them with operation show.`,
    )
  }
  if ([index, before, after].filter((value) => value !== undefined).length > 1) {
    throw new ToolRefusal('Set one of index, before and after.')
  }
  return {
    within,
    ...(index === undefined ? {} : { index }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }
}

/** Returns the page in the form used by the navigation: its file path without the extension. */
function existingPage(tree: FileTree, text: string): string {
  const path = normalizePagePath(text.normalize('NFC'))
  for (const end of ['.mdx', '.md', '/index.mdx', '/index.md']) {
    if (tree.files.has(path + end) && isShown(path + end)) return (path + end).replace(/\.mdx?$/, '')
  }
  const pages = [...tree.files.keys()].filter((file) => isPageFile(file) && isShown(file))
  const closest = findClosest(path, pages)
  throw new ToolRefusal(
    `There is no page ${quotePath(path)}. ${closest ? `Did you mean ${quotePath(closest)}? ` : ''}Create its file first.`,
  )
}

async function describeSurroundings(draft: NavDraft, labels: readonly string[]): Promise<string> {
  const outline = await readDraftOutline(draft)
  const entry = findEntry(outline, labels, 'within')
  const sharers = findEntriesSharingNode(outline, entry)
  const shared = sharers.length === 0 ? '' : ` The same list is used in ${sharers.map(entryName).join(', ')}.`
  return `Now in ${entryName(entry)}:\n${entryLines(entry, 40).join('\n')}\n${shared}`.trim()
}

function showNavigation(entry: NavEntry, offset: number): string {
  const isWhole =
    allPages(entry).length + allEntries(entry).length <= MAX_WHOLE_OUTLINE_LINES || entry.entries.length === 0
  const lines = outlineLines(entry, 0, isWhole)
  const shown = fitLines(lines.slice(offset, offset + PAGE))
  const end = offset + shown.length
  const notes = [
    end < lines.length ? `(There is more: call again with offset ${end}.)` : '',
    isWhole ? '' : '(Pages are omitted. Use within to list those of an entry.)',
  ]
  return [`${entryName(entry)}:`, ...shown, ...notes].filter(Boolean).join('\n')
}

/** Lists the items of an entry in order; items of nested lists are only counted. */
function entryLines(entry: NavEntry, max: number): string[] {
  const items = orderItems(entry)
  const lines = items.map((item) => ('route' in item ? item.text : titleOf(item, false)))
  return lines.length <= max ? lines : [...lines.slice(0, max), `(and ${lines.length - max} more)`]
}

type Item = NavEntry | NavEntry['pages'][number]

function orderItems(entry: NavEntry): Item[] {
  const items: Item[] = [
    ...entry.pages.filter(({ location: navLocation }) => navLocation !== null),
    ...entry.entries,
  ]
  const keyOf = ({ location: navLocation }: Item) => navLocation?.list.offset ?? 0
  return items.sort((a, b) => keyOf(a) - keyOf(b) || (a.location?.index ?? 0) - (b.location?.index ?? 0))
}

function outlineLines(entry: NavEntry, depth: number, isWhole: boolean): string[] {
  const indent = '  '.repeat(depth)
  return orderItems(entry).flatMap((item) => {
    if ('route' in item) return isWhole ? [indent + item.text] : []
    return [indent + titleOf(item, isWhole), ...outlineLines(item, depth + 1, isWhole)]
  })
}

function titleOf(entry: NavEntry, isWhole: boolean): string {
  const root = entry.pages.find(({ location: navLocation }) => navLocation === null)
  const count = allPages(entry).length
  const notes = [root ? `title links to ${root.text}` : '', isWhole ? '' : plural(count, 'page')].filter(
    Boolean,
  )
  const label = JSON.stringify(entry.labels.at(-1) ?? '')
  return `${KINDS[entry.kind]} ${label}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`
}
