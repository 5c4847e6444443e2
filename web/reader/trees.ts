/**
 * File trees with the keyboard pattern of ARIA trees: up and down through visible items, right and left to open and
 * close folders, Home, End, `*` to open all sibling folders, and type-ahead. Without JavaScript, they are fully
 * expanded lists.
 */
import { findElement, findElements } from './dom.ts'

/** Pause after which the next keystroke starts a new type-ahead search, in ms. */
const TYPING_PAUSE_MS = 600

const TREE = '.tree > ul'
const ROW = '.tree-label, .tree-file'
const ITEM = '[role="treeitem"]'

let count = 0

export function initTrees(): void {
  prepareTreesIn(document)
  document.addEventListener('keydown', (event) => {
    const item = event.target instanceof HTMLElement ? event.target : null
    if (!item?.matches(`.tree ${ITEM}`) || event.ctrlKey || event.metaKey || event.altKey) return
    if (!handleKey(item, event)) return
    event.preventDefault()
    event.stopPropagation()
  })
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : null
    const item = target?.closest<HTMLElement>(`.tree ${ITEM}`)
    if (!item || target?.closest('a, button')) return
    focus(item)
    if (canOpen(item)) setOpen(item, !isOpen(item))
  })
  // Opens all ancestors of a find-in-page match, because the event only fires on the innermost hidden list.
  document.addEventListener('beforematch', ({ target }) => {
    let list = target instanceof Element ? target.closest('.tree ul') : null
    for (; list; list = list.parentElement?.closest('.tree ul') ?? null) {
      const folder = findFolder(list)
      if (folder && canOpen(folder)) setOpen(folder, true)
    }
  })
  // Prepares content that an island renders later.
  for (const island of findElements('o-island'))
    new MutationObserver(() => prepareTreesIn(island)).observe(island, { childList: true, subtree: true })
}

function prepareTreesIn(root: ParentNode): void {
  for (const tree of findElements(TREE, root)) prepareTree(tree)
}

/**
 * Adds ARIA roles. The labels become the tree items, so that the name of a folder does not include its contents.
 * Items already prepared are left unchanged.
 */
function prepareTree(tree: HTMLElement): void {
  const items = findElements(ROW, tree)
  if (items.length === 0) return
  tree.setAttribute('role', 'tree')
  for (const list of findElements('ul', tree)) list.setAttribute('role', 'group')
  for (const item of items.filter((one) => !one.matches(ITEM))) {
    item.setAttribute('role', 'treeitem')
    item.tabIndex = -1
    if (!item.matches('li')) item.parentElement?.setAttribute('role', 'none')
    const list = findChildList(item)
    if (list === null) continue
    list.id ||= `octavo-tree-${++count}`
    item.setAttribute('aria-owns', list.id)
    if (canOpen(item)) setOpen(item, item.parentElement?.dataset.folder === 'open')
  }
  const first = items[0]
  if (first && !items.some((item) => item.tabIndex === 0)) first.tabIndex = 0
}

function canOpen(item: HTMLElement): boolean {
  return item.matches('[data-folder] > .tree-label')
}

function isOpen(folder: HTMLElement): boolean {
  return folder.getAttribute('aria-expanded') === 'true'
}

/** Opens or closes a folder; closed folders remain reachable by find-in-page where supported. */
function setOpen(folder: HTMLElement, isOpen: boolean): void {
  folder.setAttribute('aria-expanded', String(isOpen))
  const list = findChildList(folder)
  if (isOpen) list?.removeAttribute('hidden')
  else list?.setAttribute('hidden', 'until-found')
}

/** Handles a key; returns false if it has no meaning in a tree. */
function handleKey(item: HTMLElement, { key, timeStamp }: KeyboardEvent): boolean {
  const tree = item.closest<HTMLElement>('[role="tree"]') as HTMLElement
  const shown = listItems(tree).filter((one) => !one.closest('ul[hidden]'))
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
      if (canOpen(item) && !isOpen(item)) setOpen(item, true)
      else go(findFirstChild(item))
      return true
    case isRtl ? 'ArrowRight' : 'ArrowLeft':
      if (canOpen(item) && isOpen(item)) setOpen(item, false)
      else go(findFolder(item.closest('ul')))
      return true
    case 'Enter':
    case ' ':
      if (canOpen(item)) setOpen(item, !isOpen(item))
      return canOpen(item)
    case '*':
      for (const folder of findElements(
        ':scope > [data-folder] > .tree-label',
        item.closest('ul') ?? undefined,
      ))
        setOpen(folder, true)
      return true
    default:
      return key.length === 1 && go(findByTypedName(shown, index, key, timeStamp))
  }
}

let typed = { text: '', at: 0 }

function findByTypedName(
  shown: readonly HTMLElement[],
  index: number,
  key: string,
  now: number,
): HTMLElement | undefined {
  typed = { text: now - typed.at > TYPING_PAUSE_MS ? key : typed.text + key, at: now }
  const start = typed.text.length === 1 ? index + 1 : index
  const turned = [...shown.slice(start), ...shown.slice(0, start)]
  const wanted = typed.text.toLowerCase()
  return turned.find((item) => readItemName(item).toLowerCase().startsWith(wanted))
}

function focus(item: HTMLElement): void {
  const tree = item.closest<HTMLElement>('[role="tree"]')
  for (const other of tree ? listItems(tree) : []) other.tabIndex = other === item ? 0 : -1
  item.focus()
}

function listItems(tree: HTMLElement): HTMLElement[] {
  return findElements(ITEM, tree)
}

/** Returns the list of a folder; null for a file or an empty folder. */
function findChildList(item: HTMLElement): HTMLElement | null {
  return item.matches('.tree-label') ? findElement(':scope > ul', item.parentElement ?? undefined) : null
}

function findFirstChild(folder: HTMLElement): HTMLElement | null {
  const list = findChildList(folder)
  return list && findElement(ITEM, list)
}

function findFolder(list: Element | null): HTMLElement | null {
  return list?.parentElement ? findElement(`:scope > ${ITEM}`, list.parentElement) : null
}

function readItemName(item: HTMLElement): string {
  return (findElement('.tree-name', item)?.textContent ?? '').trim()
}
