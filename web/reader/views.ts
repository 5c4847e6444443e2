/**
 * Views: a select above the first view determines which views are shown. Views with the same title are chosen together.
 */
import { findChosenTitle, onTitleChosenElsewhere, rememberTitle } from './chosen-titles.ts'
import { createElement, findElements } from './dom.ts'

export function initViews(): void {
  const items = findElements('[data-view]')
  const first = items[0]
  if (!first) return
  const titles = [...new Set(items.map((item) => item.dataset.view ?? ''))]
  const select = createElement('select', {
    class: 'select',
    id: 'multi-view-dropdown',
    'aria-label': titles.join(', '),
  })
  select.append(...titles.map((title) => new Option(title, title)))
  select.addEventListener('change', () => {
    rememberTitle(select.value)
    showView(select.value)
  })
  first.before(createElement('div', { class: 'view-bar multi-view-dropdown' }, select))
  const showChosen = () => showView(findChosenTitle(titles) ?? titles[0] ?? '')
  onTitleChosenElsewhere(showChosen)
  showChosen()
}

export function revealInViews(element: Element): void {
  const view = element.closest<HTMLElement>('[data-view]')
  if (view) showView(view.dataset.view ?? '')
}

function showView(title: string): void {
  for (const item of findElements('[data-view]')) {
    if (item.dataset.view === title) item.dataset.active = 'true'
    else delete item.dataset.active
  }
  const select = document.querySelector<HTMLSelectElement>('select#multi-view-dropdown')
  if (select) select.value = title
}
