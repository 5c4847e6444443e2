/** Tag filters of a changelog: shows the entries that have all selected tags; the selection is part of the URL. */
import { findElement, findElements } from './dom.ts'

export function initTagFilters(): void {
  const box = findElement('#changelog-filters-content')
  if (!box) return
  const buttons = findElements<HTMLButtonElement>('.tag-filter', box)
  const entries = findElements('.update').map((element) => ({
    element,
    tags: JSON.parse(element.dataset.tags ?? '[]') as string[],
  }))
  const chosen = () => buttons.filter((button) => button.getAttribute('aria-pressed') === 'true').map(readTag)
  const apply = () => {
    const wanted = chosen()
    for (const { element, tags } of entries) element.hidden = !wanted.every((tag) => tags.includes(tag))
  }
  const initial = new URLSearchParams(location.search).get('tags')?.split(',') ?? []
  for (const button of buttons) button.setAttribute('aria-pressed', String(initial.includes(readTag(button))))
  apply()
  box.addEventListener('click', (event) => {
    const button = buttons.find((one) => one.contains(event.target as Node))
    if (!button) return
    button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'))
    const url = new URL(location.href)
    if (chosen().length > 0) url.searchParams.set('tags', chosen().join(','))
    else url.searchParams.delete('tags')
    history.replaceState(history.state, '', url)
    apply()
  })
}

function readTag(button: HTMLElement): string {
  return button.dataset.tag ?? ''
}
