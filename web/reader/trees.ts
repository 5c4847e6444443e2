/**
 * File trees by the keys of a tree: up and down among what is shown, right and left into a folder and out of it, Home,
 * End, `*` for all folders beside this one, and the first letters of a name. Without script they are lists whose
 * folders open like any disclosure.
 */
import { all, one } from './dom.ts'

/** Milliseconds after which typing begins a new name. */
const TYPING_PAUSE = 600

let count = 0

export function trees(): void {
  for (const tree of all('.tree > ul')) prepare(tree)
}

/** The items are what carries a name, so that the name of a folder is not all that is in it. */
function prepare(tree: HTMLElement): void {
  tree.setAttribute('role', 'tree')
  for (const list of all('ul', tree)) list.setAttribute('role', 'group')
  for (const item of itemsOf(tree)) {
    item.setAttribute('role', 'treeitem')
    item.tabIndex = -1
    if (item.parentElement?.matches('li')) item.parentElement.setAttribute('role', 'none')
    const list = one('ul', item.parentElement ?? undefined)
    if (list && !item.matches('.tree-file')) {
      list.id = `octavo-tree-${++count}`
      item.setAttribute('aria-owns', list.id)
    }
    const details = detailsOf(item)
    if (!details) continue
    details.parentElement?.setAttribute('role', 'none')
    details.addEventListener('toggle', () => tellExpanded(details))
    tellExpanded(details)
  }
  const first = itemsOf(tree)[0]
  if (first) first.tabIndex = 0
  const typed = { text: '', at: 0 }
  tree.addEventListener('keydown', (event) => {
    const item = event.target instanceof HTMLElement ? event.target : null
    if (!item?.matches('[role="treeitem"]') || event.ctrlKey || event.metaKey || event.altKey) return
    if (!press(tree, item, event, typed)) return
    event.preventDefault()
    event.stopPropagation()
  })
  tree.addEventListener('click', (event) => {
    const item =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[role="treeitem"]') : null
    if (item) focus(tree, item)
  })
}

function tellExpanded(details: HTMLDetailsElement): void {
  one(':scope > .tree-label', details)?.setAttribute('aria-expanded', String(details.open))
}

/** The event of a change comes some time after it: a screen reader that asks at once hears what is so. */
function setOpen(details: HTMLDetailsElement, isOpen: boolean): void {
  details.open = isOpen
  tellExpanded(details)
}

/** False for a key that means nothing to a tree. */
function press(
  tree: HTMLElement,
  item: HTMLElement,
  { key, timeStamp }: KeyboardEvent,
  typed: { text: string; at: number },
): boolean {
  const shown = itemsOf(tree).filter((one) => one.offsetParent !== null)
  const index = shown.indexOf(item)
  const details = detailsOf(item)
  const isRtl = document.documentElement.dir === 'rtl'
  const go = (target: HTMLElement | null | undefined) => {
    if (target) focus(tree, target)
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
      if (details && !details.open) setOpen(details, true)
      else if (details) go(one(ITEM, one('ul', details) ?? undefined))
      return true
    case isRtl ? 'ArrowRight' : 'ArrowLeft':
      if (details?.open) setOpen(details, false)
      else go(folderAround(item))
      return true
    case 'Enter':
    case ' ':
      if (details) setOpen(details, !details.open)
      return details !== null
    case '*':
      for (const folder of all<HTMLDetailsElement>(':scope > li > details', item.closest('ul') ?? undefined))
        setOpen(folder, true)
      return true
    default:
      return key.length === 1 && go(named(shown, index, key, timeStamp, typed))
  }
}

/** The next item whose name begins with what was typed. */
function named(
  shown: readonly HTMLElement[],
  index: number,
  key: string,
  now: number,
  typed: { text: string; at: number },
): HTMLElement | undefined {
  typed.text = now - typed.at > TYPING_PAUSE ? key : typed.text + key
  typed.at = now
  const start = typed.text.length === 1 ? index + 1 : index
  const turned = [...shown.slice(start), ...shown.slice(0, start)]
  const wanted = typed.text.toLowerCase()
  return turned.find((item) => nameOf(item).toLowerCase().startsWith(wanted))
}

function focus(tree: HTMLElement, item: HTMLElement): void {
  for (const other of itemsOf(tree)) other.tabIndex = other === item ? 0 : -1
  item.focus()
}

const ITEM = '.tree-label, .tree-file'

function itemsOf(tree: HTMLElement): HTMLElement[] {
  return all(ITEM, tree)
}

/** The folder that an item is the name of; null for a file and for a folder that does not open. */
function detailsOf(item: Element): HTMLDetailsElement | null {
  return item.parentElement instanceof HTMLDetailsElement ? item.parentElement : null
}

function folderAround(item: HTMLElement): HTMLElement | null {
  const around = item.closest('ul')?.parentElement
  return around ? one(':scope > .tree-label', around) : null
}

function nameOf(item: HTMLElement): string {
  return (one('.tree-name', item)?.textContent ?? '').trim()
}
