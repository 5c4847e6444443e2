/** Renders search results: a page as the first row, its sections below it. */
import type { Highlighted } from '../../src/search/passage.ts'
import { createElement } from './dom.ts'
import type { Result, SearchLocation } from './search-index.ts'

export function createResultGroup(result: Result, location: SearchLocation): HTMLElement {
  const row = (className: string, href: string, title: Highlighted, below: Highlighted) => {
    const option = createElement('a', {
      role: 'option',
      class: `search-option ${className}`,
      href: location.root + href.replace(/^\//, ''),
      'aria-selected': 'false',
    })
    option.append(highlightMatches('search-option-title', title))
    if (below.some((text) => text !== '')) option.append(highlightMatches('search-option-text', below))
    return option
  }
  const page = row('search-page', result.href, result.title, result.passage)
  const trail = result.trail.join(' › ')
  const label = [result.language && languageName(result.language, location.language), result.version]
    .filter(Boolean)
    .join(' · ')
  const above = [
    ...(label === '' ? [] : [createElement('span', { class: 'search-option-label' }, label)]),
    ...(trail === '' ? [] : [createElement('span', {}, trail)]),
    ...(result.updated === null ? [] : [createTimeElement(result.updated, location.language)]),
  ]
  if (above.length > 0) page.prepend(createElement('span', { class: 'search-option-trail' }, ...above))
  if (result.language) page.lang = result.language
  const sections = result.sections.map((section) =>
    row('search-section', section.href, section.heading, section.passage),
  )
  const name = result.title.join('')
  return createElement('div', { class: 'search-group', role: 'group', 'aria-label': name }, page, ...sections)
}

export function createQueryGroup(
  label: string,
  queries: readonly string[],
  ...extraNodes: Node[]
): HTMLElement {
  const head = createElement('div', { class: 'search-head' }, label, ...extraNodes)
  const rows = queries.map((query) =>
    createElement(
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
  return createElement('div', { class: 'search-group', role: 'group', 'aria-label': label }, head, ...rows)
}

function highlightMatches(className: string, text: Highlighted): HTMLElement {
  const nodes = text.map((piece, index) => (index % 2 === 1 ? createElement('mark', {}, piece) : piece))
  return createElement('span', { class: className }, ...nodes)
}

function createTimeElement(day: string, language: string): HTMLElement {
  const text = new Date(day).toLocaleDateString(language, { dateStyle: 'medium', timeZone: 'UTC' })
  return createElement('time', { datetime: day }, text)
}

function languageName(language: string, inLanguage: string): string {
  try {
    return new Intl.DisplayNames([inLanguage, language], { type: 'language' }).of(language) ?? language
  } catch {
    return language
  }
}
