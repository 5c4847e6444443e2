/**
 * File trees with the keyboard pattern of ARIA trees: up and down through visible items, right and left to open and
 * close folders, Home, End, `*` to open all sibling folders, and type-ahead. Without JavaScript, they are fully
 * expanded lists.
 */
import { all, one } from './dom.ts'

/** Pause after which typing starts a new name, in ms. */
const TYPING_PAUSE = 600

const TREE = '.tree > ul'
const ROW = '.tree-label, .tree-file'
const ITEM = '[role="treeitem"]'

let count = 0

export function trees(): void {
  prepareIn(document)
  document.addEventListener('keydown', (event) => {
    const item = event.target instanceof HTMLElement ? event.target : null
    if (!item?.matches(`.tree ${ITEM}`) || event.ctrlKey || event.metaKey || event.altKey) return
    if (!press(item, event)) return
    event.preventDefault()
    event.stopPropagation()
  })
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : null
    const item = target?.closest<HTMLElement>(`.tree ${ITEM}`)
    if (!item || target?.closest('a, button')) return
    focus(item)
    if (opens(item)) setOpen(item, !isOpen(item))
  })
  // Opens all ancestors of a find-in-page match, because the event only fires on the innermost hidden list.
  document.addEventListener('beforematch', ({ target }) => {
    let list = target instanceof Element ? target.closest('.tree ul') : null
    for (; list; list = list.parentElement?.closest('.tree ul') ?? null) {
      const folder = folderOf(list)
      if (folder && opens(folder)) setOpen(folder, true)
    }
  })
  // Content that an island renders later is prepared then.
  for (const island of all('o-island'))
    new MutationObserver(() => prepareIn(island)).observe(island, { childList: true, subtree: true })
}

function prepareIn(root: ParentNode): void {
  for (const tree of all(TREE, root)) prepare(tree)
}

/**
 * Adds ARIA roles. The labels become the tree items, so that the name of a folder does not include its contents.
 * Items already prepared are left unchanged.
 */
function prepare(tree: HTMLElement): void {
  const items = all(ROW, tree)
  if (items.length === 0) return
  tree.setAttribute('role', 'tree')
  for (const list of all('ul', tree)) list.setAttribute('role', 'group')
  for (const item of items.filter((one) => !one.matches(ITEM))) {
    item.setAttribute('role', 'treeitem')
    item.tabIndex = -1
    if (!item.matches('li')) item.parentElement?.setAttribute('role', 'none')
    const list = listOf(item)
    if (list === null) continue
    list.id ||= `octavo-tree-${++count}`
    item.setAttribute('aria-owns', list.id)
    if (opens(item)) setOpen(item, item.parentElement?.dataset.folder === 'open')
  }
  const first = items[0]
  if (first && !items.some((item) => item.tabIndex === 0)) first.tabIndex = 0
}

function opens(item: HTMLElement): boolean {
  return item.matches('[data-folder] > .tree-label')
}

function isOpen(folder: HTMLElement): boolean {
  return folder.getAttribute('aria-expanded') === 'true'
}

/** Opens or closes a folder; closed folders remain reachable by find-in-page where supported. */
function setOpen(folder: HTMLElement, isOpen: boolean): void {
  folder.setAttribute('aria-expanded', String(isOpen))
  const list = listOf(folder)
  if (isOpen) list?.removeAttribute('hidden')
  else list?.setAttribute('hidden', 'until-found')
}

/** Handles a key; returns false if it has no meaning in a tree. */
function press(item: HTMLElement, { key, timeStamp }: KeyboardEvent): boolean {
  const tree = item.closest<HTMLElement>('[role="tree"]') as HTMLElement
  const shown = itemsOf(tree).filter((one) => !one.closest('ul[hidden]'))
  const index = shown.indexOf(item)
  const isRtl = document.documentElement.dir === 'rtl'
  const go = (target: HTMLElement | null | undefined) => {
    if (target) focus(target)
    return true
  }
  switch (key) {
    case 'ArrowDown':
      return go(shown[index + 1])
    case 'ArrowUp':
      return go(shown[index - 1])
    case 'Home':
      return go(shown[0])
    case 'End':
      return go(shown.at(-1))
    case isRtl ? 'ArrowLeft' : 'ArrowRight':
      if (opens(item) && !isOpen(item)) setOpen(item, true)
      else go(firstIn(item))
      return true
    case isRtl ? 'ArrowRight' : 'ArrowLeft':
      if (opens(item) && isOpen(item)) setOpen(item, false)
      else go(folderOf(item.closest('ul')))
      return true
    case 'Enter':
    case ' ':
      if (opens(item)) setOpen(item, !isOpen(item))
      return opens(item)
    case '*':
      for (const folder of all(':scope > [data-folder] > .tree-label', item.closest('ul') ?? undefined))
        setOpen(folder, true)
      return true
    default:
      return key.length === 1 && go(named(shown, index, key, timeStamp))
  }
}

let typed = { text: '', at: 0 }

/** Returns the next item whose name begins with the typed text. */
function named(
  shown: readonly HTMLElement[],
  index: number,
  key: string,
  now: number,
): HTMLElement | undefined {
  typed = { text: now - typed.at > TYPING_PAUSE ? key : typed.text + key, at: now }
  const start = typed.text.length === 1 ? index + 1 : index
  const turned = [...shown.slice(start), ...shown.slice(0, start)]
  const wanted = typed.text.toLowerCase()
  return turned.find((item) => nameOf(item).toLowerCase().startsWith(wanted))
}

function focus(item: HTMLElement): void {
  const tree = item.closest<HTMLElement>('[role="tree"]')
  for (const other of tree ? itemsOf(tree) : []) other.tabIndex = other === item ? 0 : -1
  item.focus()
}

function itemsOf(tree: HTMLElement): HTMLElement[] {
  return all(ITEM, tree)
}

/** Returns the list of a folder; null for a file or an empty folder. */
function listOf(item: HTMLElement): HTMLElement | null {
  return item.matches('.tree-label') ? one(':scope > ul', item.parentElement ?? undefined) : null
}

function firstIn(folder: HTMLElement): HTMLElement | null {
  const list = listOf(folder)
  return list && one(ITEM, list)
}

/** Returns the folder that contains this list. */
function folderOf(list: Element | null): HTMLElement | null {
  return list?.parentElement ? one(`:scope > ${ITEM}`, list.parentElement) : null
}

function nameOf(item: HTMLElement): string {
  return (one('.tree-name', item)?.textContent ?? '').trim()
}
