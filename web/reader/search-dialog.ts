/**
 * The dialog of search: a combobox over a list of pages and their sections. It is not modal to the browser, which would
 * make all behind it inert and so give each element of a long page new styles: a second on a slow machine.
 */
import { loopFocus, make } from './dom.ts'
import type { Result, SearchPlace, SiteSearch } from './search-index.ts'
import { createSearchList, type SearchList } from './search-list.ts'
import type { SearchLabels } from './search-opener.ts'
import { queryGroup, resultGroup } from './search-results.ts'
import { type SettledSearch, settledSearch } from './settled-search.ts'
import { KEYS, recallList, remember } from './storage.ts'

/** Delay before a loading message is shown, in ms. */
const PATIENCE = 300
const RECENT = 5

export interface SearchDialog {
  open(query: string): void
  useSearch(search: SiteSearch): void
  fail(): void
}

/** Elements of the dialog. */
interface Parts extends SearchList {
  /** Covers the page while the dialog is open. */
  screen: HTMLElement
  dialog: HTMLDialogElement
  input: HTMLInputElement
  labels: SearchLabels
  settled: SettledSearch
}

export function createSearchDialog(labels: SearchLabels, place: SearchPlace): SearchDialog {
  const input = searchField(labels)
  const settled = settledSearch()
  const rows = createSearchList(input, labels.title, (option, event) => {
    if (option.dataset.query !== undefined) {
      event.preventDefault()
      input.value = option.dataset.query
      answers.update()
      input.focus()
      return
    }
    settled.followed(option.href)
    keepQuery(input.value.trim())
    if (!event.metaKey && !event.ctrlKey && !event.shiftKey) dialog.close()
  })
  const dialog = dialogOf(input, rows, labels)
  const screen = screenOf(dialog, input)
  const parts: Parts = { ...rows, input, labels, settled, dialog, screen }
  const answers = createAnswers(parts, place)
  const { list, note } = parts
  input.addEventListener('input', answers.update)
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      rows.move(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      answers.choose(event)
    }
  })
  dialog.addEventListener('close', () => {
    // The close event fires asynchronously: the dialog may be open again.
    if (dialog.open) return
    screen.hidden = true
    settled.closed()
    input.blur()
  })
  return {
    open: (query) => {
      if (query !== '') input.value = query
      if (!dialog.open) {
        settled.closed()
        screen.hidden = false
        dialog.show()
      }
      input.focus()
      input.select()
      answers.update()
      setTimeout(() => list.toggleAttribute('data-waiting', answers.isWaiting()), PATIENCE)
    },
    useSearch: answers.use,
    fail: () => {
      list.removeAttribute('data-waiting')
      note.dataset.failed = ''
      rows.show([], [make('strong', {}, labels.failed)])
    },
  }
}

interface Answers {
  /** Shows the results of the current query. */
  update(): void
  use(search: SiteSearch): void
  isWaiting(): boolean
  /** Follows the active row, or the first result if the search is still running. */
  choose(event: KeyboardEvent): void
}

function createAnswers(parts: Parts, place: SearchPlace): Answers {
  const { input, list, note, labels, settled, show, choose } = parts
  let search: SiteSearch | null = null
  /** Number of the latest query; results of earlier ones are dropped. */
  let asked = 0
  let answered = 0
  let chosenEarly = 0

  const answer = async (from: SiteSearch, query: string, number: number) => {
    // Debounced, so that incomplete words do not load any files.
    if (from.pause > 0) await new Promise((resolve) => setTimeout(resolve, from.pause))
    if (number !== asked) return
    let results: Result[]
    let nearest: string[]
    try {
      // A trailing space marks the last word as complete.
      results = await from.find(input.value.trimStart())
      nearest = results.length > 0 ? [] : await from.corrections(query)
    } catch {
      if (number === asked) show([], [make('strong', {}, labels.failed)])
      return
    }
    if (number !== asked) return
    answered = number
    settled.typed(query, results.length)
    if (results.length > 0)
      show(
        results.map((result) => resultGroup(result, place)),
        [],
      )
    else show(nearest.length > 0 ? [queryGroup(labels.nearest, nearest)] : [], nothingFound(query, labels))
    if (chosenEarly === number && results.length > 0) choose()
  }
  const update = () => {
    asked += 1
    const query = input.value.trim()
    if (query === '') {
      answered = asked
      showRecent(parts, update)
    } else if (search) void answer(search, query, asked)
  }
  return {
    update,
    use: (ready) => {
      search = ready
      delete note.dataset.failed
      list.removeAttribute('data-waiting')
      update()
    },
    isWaiting: () => search === null && note.dataset.failed === undefined,
    choose: (event) => {
      if (answered === asked) choose(event)
      else chosenEarly = asked
    },
  }
}

function nothingFound(query: string, { empty, hint }: SearchLabels): Node[] {
  return [make('strong', {}, `${empty} “${query}”`), make('span', {}, hint)]
}

function showRecent({ input, labels, show }: Parts, update: () => void): void {
  const recent = recallList(KEYS.searches)
  if (recent.length === 0) {
    show([], [make('span', {}, labels.start)])
    return
  }
  const clear = make('button', { type: 'button', class: 'search-clear' }, labels.clear)
  clear.addEventListener('click', () => {
    remember(KEYS.searches, '[]')
    update()
    input.focus()
  })
  show([queryGroup(labels.recent, recent, clear)], [])
}

function keepQuery(query: string): void {
  const others = recallList(KEYS.searches).filter((one) => one !== query)
  remember(KEYS.searches, JSON.stringify([query, ...others].slice(0, RECENT)))
}

function dialogOf(
  input: HTMLInputElement,
  { list, note }: SearchList,
  labels: SearchLabels,
): HTMLDialogElement {
  const close = make('button', { type: 'button', class: 'search-close', 'aria-label': labels.close }, 'Esc')
  const glyph = make('span', { class: 'search-glyph', 'aria-hidden': 'true' })
  const bar = make('div', { class: 'search-bar' }, glyph, input, close)
  const attributes = { class: 'search', 'aria-label': labels.title, 'aria-modal': 'true' }
  // What a system has to go back closes it too.
  const dialog = make('dialog', { ...attributes, closedby: 'closerequest' }, bar, list, note)
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('keydown', (event) => {
    // The shortcut that opens the dialog also closes it.
    const isShortcut = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)
    if ((!isShortcut && event.key !== 'Escape') || event.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    dialog.close()
  })
  loopFocus(dialog, () => dialog.open)
  return dialog
}

function screenOf(dialog: HTMLDialogElement, input: HTMLInputElement): HTMLElement {
  const screen = make('div', { class: 'search-screen', hidden: '' }, dialog)
  document.body.append(screen)
  // The field keeps the focus until the dialog gives it back.
  screen.addEventListener('mousedown', (event) => {
    if (event.target === screen) event.preventDefault()
  })
  screen.addEventListener('click', (event) => {
    if (event.target === screen) dialog.close()
  })
  document.addEventListener('focusin', ({ target }) => {
    if (dialog.open && target instanceof Node && !screen.contains(target)) input.focus()
  })
  return screen
}

function searchField(labels: SearchLabels): HTMLInputElement {
  return make('input', {
    id: 'search-input',
    type: 'text',
    role: 'combobox',
    placeholder: labels.prompt,
    'aria-label': labels.title,
    'aria-controls': 'search-results',
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'search',
  })
}
