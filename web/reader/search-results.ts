/** Renders search results: a page as the first row, its sections below it. */
import type { Marked } from '../../src/search/passage.ts'
import { make } from './dom.ts'
import type { Result, SearchPlace } from './search-index.ts'

export function resultGroup(result: Result, place: SearchPlace): HTMLElement {
  const row = (className: string, href: string, title: Marked, below: Marked) => {
    const option = make('a', {
      role: 'option',
      class: `search-option ${className}`,
      href: place.root + href.replace(/^\//, ''),
      'aria-selected': 'false',
    })
    option.append(marked('search-option-title', title))
    if (below.some((text) => text !== '')) option.append(marked('search-option-text', below))
    return option
  }
  const page = row('search-page', result.href, result.title, result.passage)
  const trail = result.trail.join(' › ')
  const label = [result.language && languageName(result.language, place.language), result.version]
    .filter(Boolean)
    .join(' · ')
  const above = [
    ...(label === '' ? [] : [make('span', { class: 'search-option-label' }, label)]),
    ...(trail === '' ? [] : [make('span', {}, trail)]),
    ...(result.updated === null ? [] : [dateOf(result.updated, place.language)]),
  ]
  if (above.length > 0) page.prepend(make('span', { class: 'search-option-trail' }, ...above))
  if (result.language) page.lang = result.language
  const sections = result.sections.map((section) =>
    row('search-section', section.href, section.heading, section.passage),
  )
  const name = result.title.join('')
  return make('div', { class: 'search-group', role: 'group', 'aria-label': name }, page, ...sections)
}

/** Rows that start a search when chosen. */
export function queryGroup(label: string, queries: readonly string[], ...beside: Node[]): HTMLElement {
  const head = make('div', { class: 'search-head' }, label, ...beside)
  const rows = queries.map((query) =>
    make(
      'a',
      {
        role: 'option',
        href: '#',
        class: 'search-option',
        'data-query': query,
        'aria-selected': 'false',
      },
      query,
    ),
  )
  return make('div', { class: 'search-group', role: 'group', 'aria-label': label }, head, ...rows)
}

function marked(className: string, text: Marked): HTMLElement {
  const nodes = text.map((piece, index) => (index % 2 === 1 ? make('mark', {}, piece) : piece))
  return make('span', { class: className }, ...nodes)
}

function dateOf(day: string, language: string): HTMLElement {
  const text = new Date(day).toLocaleDateString(language, { dateStyle: 'medium', timeZone: 'UTC' })
  return make('time', { datetime: day }, text)
}

function languageName(language: string, inLanguage: string): string {
  try {
    return new Intl.DisplayNames([inLanguage, language], { type: 'language' }).of(language) ?? language
  } catch {
    return language
  }
}
