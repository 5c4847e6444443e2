/** The dialog of search: a combobox over a list of pages and their sections. */
import { all, make } from './dom.ts'
import { markTerms, type PageResult, type SearchEngine } from './search-engine.ts'
import type { SearchLabels } from './search-opener.ts'
import { settledSearch } from './settled-search.ts'
import { KEYS, recallList, remember } from './storage.ts'

/** Milliseconds before an empty place says that something is coming. */
const PATIENCE = 300
const RECENT = 5

export interface SearchDialog {
  open(query: string): void
  useEngine(engine: SearchEngine): void
  fail(): void
}

export function createSearchDialog(labels: SearchLabels, root: string): SearchDialog {
  const input = searchField(labels)
  const close = make('button', { type: 'button', class: 'search-close', 'aria-label': labels.close }, 'Esc')
  const list = make('div', { id: 'search-results', role: 'listbox', 'aria-label': labels.title })
  const note = make('div', { class: 'search-note', role: 'status' })
  const bar = make(
    'div',
    { class: 'search-bar' },
    make('span', { class: 'search-glyph', 'aria-hidden': 'true' }),
    input,
    close,
  )
  const dialog = make('dialog', { class: 'search', 'aria-label': labels.title }, bar, list, note)
  document.body.append(dialog)

  let engine: SearchEngine | null = null
  const settled = settledSearch()
  let active = -1
  const options = () => all<HTMLAnchorElement>('[role="option"]', list)

  const activate = (index: number, isByPointer = false) => {
    const found = options()
    active = found.length === 0 ? -1 : (index + found.length) % found.length
    found.forEach((option, position) => {
      option.setAttribute('aria-selected', String(position === active))
    })
    const chosen = found[active]
    if (!chosen) {
      input.removeAttribute('aria-activedescendant')
      return
    }
    input.setAttribute('aria-activedescendant', chosen.id)
    if (!isByPointer) chosen.scrollIntoView({ block: 'nearest' })
  }

  const show = (groups: readonly HTMLElement[], message: (Node | string)[]) => {
    list.replaceChildren(...groups)
    list.scrollTop = 0
    options().forEach((option, index) => {
      option.id = `search-option-${index}`
    })
    input.setAttribute('aria-expanded', String(groups.length > 0))
    note.replaceChildren(...message)
    note.hidden = message.length === 0
    activate(0)
  }

  const update = () => {
    const query = input.value.trim()
    if (query === '') {
      showRecent()
      return
    }
    if (!engine) return
    const { language } = engine
    const results = engine.find(query)
    settled.typed(query, results.length)
    if (results.length > 0)
      show(
        results.map((result) => pageGroup(result, root, language)),
        [],
      )
    else show([], [make('strong', {}, `${labels.empty} “${query}”`), make('span', {}, labels.hint)])
  }

  const showRecent = () => {
    const recent = recallList(KEYS.searches)
    if (recent.length === 0) {
      show([], [make('span', {}, labels.start)])
      return
    }
    const head = make('div', { class: 'search-head' }, labels.recent)
    const clear = make('button', { type: 'button', class: 'search-clear' }, labels.clear)
    clear.addEventListener('click', () => {
      remember(KEYS.searches, '[]')
      update()
      input.focus()
    })
    head.append(clear)
    const rows = recent.map((query) => {
      const row = make('a', { role: 'option', href: '#', class: 'search-option', 'data-query': query }, query)
      return row
    })
    show(
      [make('div', { class: 'search-group', role: 'group', 'aria-label': labels.recent }, head, ...rows)],
      [],
    )
  }

  const follow = (option: HTMLAnchorElement, event: MouseEvent) => {
    const { query } = option.dataset
    if (query !== undefined) {
      event.preventDefault()
      input.value = query
      update()
      input.focus()
      return
    }
    settled.followed(option.href)
    const asked = input.value.trim()
    const others = recallList(KEYS.searches).filter((one) => one !== asked)
    remember(KEYS.searches, JSON.stringify([asked, ...others].slice(0, RECENT)))
    if (!event.metaKey && !event.ctrlKey && !event.shiftKey) dialog.close()
  }

  input.addEventListener('input', update)
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      activate(active + (event.key === 'ArrowDown' ? 1 : -1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const { metaKey, ctrlKey } = event
      options()[active]?.dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, metaKey, ctrlKey }),
      )
    }
  })
  list.addEventListener('click', (event) => {
    const option =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('[role="option"]') : null
    if (option) follow(option, event)
  })
  list.addEventListener('pointermove', (event) => {
    const option =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('[role="option"]') : null
    const index = option ? options().indexOf(option) : -1
    if (index >= 0 && index !== active) activate(index, true)
  })
  dialog.addEventListener('close', () => {
    // It comes a moment later: the dialog may be open again.
    if (!dialog.open) settled.closed()
    input.blur()
  })
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  // The shortcut that opens also closes.
  dialog.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    event.stopPropagation()
    dialog.close()
  })

  return {
    open: (query) => {
      if (query !== '') input.value = query
      if (!dialog.open) {
        settled.closed()
        dialog.showModal()
      }
      input.focus()
      input.select()
      update()
      setTimeout(() => {
        list.toggleAttribute('data-waiting', engine === null && note.dataset.failed === undefined)
      }, PATIENCE)
    },
    useEngine: (ready) => {
      engine = ready
      delete note.dataset.failed
      list.removeAttribute('data-waiting')
      update()
    },
    fail: () => {
      list.removeAttribute('data-waiting')
      note.dataset.failed = ''
      show([], [make('strong', {}, labels.failed)])
    },
  }
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

/** The page as the first row, its sections below it. */
function pageGroup(result: PageResult, root: string, language: string): HTMLElement {
  const row = (className: string, href: string, title: string, below: string) => {
    const option = make('a', {
      role: 'option',
      class: `search-option ${className}`,
      href: root + href.replace(/^\//, ''),
      'aria-selected': 'false',
    })
    option.append(marked('search-option-title', title, result, language))
    if (below !== '') option.append(marked('search-option-text', below, result, language))
    return option
  }
  const trail = result.groups.join(' › ')
  const page = row('search-page', result.href, result.title, result.sections.length > 0 ? '' : result.excerpt)
  if (trail !== '') page.prepend(make('span', { class: 'search-option-trail' }, trail))
  const sections = result.sections.map((section) =>
    row('search-section', section.href, section.heading, section.excerpt),
  )
  return make('div', { class: 'search-group', role: 'group', 'aria-label': result.title }, page, ...sections)
}

function marked(className: string, text: string, result: PageResult, language: string): HTMLElement {
  const pieces = markTerms(text, result.terms, language)
  const nodes = pieces.map((piece, index) => (index % 2 === 1 ? make('mark', {}, piece) : piece))
  return make('span', { class: className }, ...nodes)
}
