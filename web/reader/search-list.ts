/** List of search results with an active row, which can be changed and followed by keyboard and pointer. */
import { createElement, findElements } from './dom.ts'

export interface SearchList {
  list: HTMLElement
  note: HTMLElement
  show(groups: readonly HTMLElement[], message: readonly (Node | string)[]): void
  /** Follows the active row like a click. */
  choose(keys?: Pick<MouseEvent, 'metaKey' | 'ctrlKey'>): void
  move(step: 1 | -1): void
}

type Option = HTMLAnchorElement

export function createSearchList(
  input: HTMLInputElement,
  title: string,
  follow: (option: Option, event: MouseEvent) => void,
): SearchList {
  const list = createElement('div', { id: 'search-results', role: 'listbox', 'aria-label': title })
  const note = createElement('div', { class: 'search-note', role: 'status' })
  const options = () => findElements<Option>('[role="option"]', list)
  let active = -1

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
  const optionOf = ({ target }: Event) =>
    target instanceof Element ? target.closest<Option>('[role="option"]') : null

  list.addEventListener('click', (event) => {
    const option = optionOf(event)
    if (option) follow(option, event)
  })
  list.addEventListener('pointermove', (event) => {
    const option = optionOf(event)
    const index = option ? options().indexOf(option) : -1
    if (index >= 0 && index !== active) activate(index, true)
  })
  return {
    list,
    note,
    show: (groups, message) => {
      list.replaceChildren(...groups)
      list.scrollTop = 0
      options().forEach((option, index) => {
        option.id = `search-option-${index}`
      })
      input.setAttribute('aria-expanded', String(groups.length > 0))
      note.replaceChildren(...message)
      note.hidden = message.length === 0
      activate(0)
    },
    choose: ({ metaKey, ctrlKey } = { metaKey: false, ctrlKey: false }) => {
      const click = new MouseEvent('click', { bubbles: true, cancelable: true, metaKey, ctrlKey })
      options()[active]?.dispatchEvent(click)
    },
    move: (step) => activate(active + step),
  }
}
