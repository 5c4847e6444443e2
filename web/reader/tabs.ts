/**
 * Tabs and code groups. Choosing a title activates the tab with that title in every group of the page, and on later
 * pages. Hidden panels are reachable by find-in-page, which opens them.
 */
import { findChosenTitle, onTitleChosenElsewhere, rememberTitle } from './chosen-titles.ts'
import { findElement, findElements } from './dom.ts'

export function initTabs(): void {
  const groups = findElements('[data-tabs]')
  for (const group of groups) {
    const tabList = findTabs(group)
    showTab(group, findRememberedTab(group) ?? tabList.find((one) => one.dataset.active) ?? tabList[0])
    group.addEventListener('beforematch', (event) => {
      const panel = event.target as HTMLElement
      showTab(group, findTab(tabList, panel))
    })
    addSelect(group, tabList)
  }
  onTitleChosenElsewhere(() => {
    for (const group of groups) showTab(group, findRememberedTab(group))
  })
  document.addEventListener('click', (event) => {
    const tab = event.target instanceof Element ? event.target.closest<HTMLElement>('[role="tab"]') : null
    if (tab) chooseTab(tab)
  })
  document.addEventListener('keydown', (event) => {
    const tab = event.target instanceof Element ? event.target.closest<HTMLElement>('[role="tab"]') : null
    const group = tab?.closest<HTMLElement>('[data-tabs]')
    if (!tab || !group) return
    const tabList = findTabs(group)
    const next = nextTab(tabList, tabList.indexOf(tab), event.key)
    if (!next) return
    event.preventDefault()
    chooseTab(next)
    next.focus()
  })
}

/** Activates the panels that contain the element, at every level. */
export function revealInTabs(element: Element): void {
  for (let panel = element.closest<HTMLElement>('[role="tabpanel"]'); panel; ) {
    const group = panel.parentElement
    if (!group) return
    showTab(group, findTab(findTabs(group), panel))
    panel = group.closest<HTMLElement>('[role="tabpanel"]')
  }
}

/** Returns the tab of a panel; the active one if several tabs share it. */
function findTab(tabList: readonly HTMLElement[], panel: HTMLElement): HTMLElement | undefined {
  const showing = tabList.filter((tab) => readPanelId(tab) === panel.id)
  return showing.find((tab) => tab.dataset.active) ?? showing[0]
}

function chooseTab(tab: HTMLElement): void {
  const group = tab.closest<HTMLElement>('[data-tabs]')
  if (!group) return
  showTab(group, tab)
  const title = tab.dataset.title ?? ''
  if (group.dataset.sync === undefined) return
  if (group.dataset.sync !== 'page') rememberTitle(title)
  // Groups above may change their height, so the scroll position is corrected.
  const before = tab.getBoundingClientRect().top
  for (const other of findElements('[data-tabs][data-sync]')) {
    if (other !== group)
      showTab(
        other,
        findTabs(other).find((one) => one.dataset.title === title),
      )
  }
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
}

/** Returns the tab with the most recently chosen title, for groups that are synchronized. */
function findRememberedTab(group: HTMLElement): HTMLElement | undefined {
  if (group.dataset.sync === undefined) return undefined
  const tabList = findTabs(group)
  const title = findChosenTitle(tabList.map((tab) => tab.dataset.title ?? ''))
  return tabList.find((tab) => tab.dataset.title === title)
}

function showTab(group: HTMLElement, chosen: HTMLElement | undefined): void {
  if (!chosen) return
  for (const tab of findTabs(group)) {
    const isChosen = tab === chosen
    tab.setAttribute('aria-selected', String(isChosen))
    tab.tabIndex = isChosen ? 0 : -1
    setActive(tab, isChosen)
    const panel = document.getElementById(readPanelId(tab))
    if (!panel) continue
    // Several tabs may share a panel.
    const isShown = panel.id === readPanelId(chosen)
    setActive(panel, isShown)
    if (isShown) panel.removeAttribute('hidden')
    else panel.setAttribute('hidden', 'until-found')
  }
  const select = findElement<HTMLSelectElement>(':scope > .tabs-bar > select', group)
  if (select) select.value = chosen.id
}

function readPanelId(tab: HTMLElement): string {
  return tab.getAttribute('aria-controls') ?? ''
}

function setActive(element: HTMLElement, isActive: boolean): void {
  if (isActive) element.dataset.active = 'true'
  else delete element.dataset.active
}

function findTabs(group: HTMLElement): HTMLElement[] {
  const bar = group.firstElementChild
  return bar ? findElements('[role="tab"]', bar) : []
}

function nextTab(tabList: readonly HTMLElement[], index: number, key: string): HTMLElement | undefined {
  const isRtl = document.documentElement.dir === 'rtl'
  const forward = isRtl ? 'ArrowLeft' : 'ArrowRight'
  const back = isRtl ? 'ArrowRight' : 'ArrowLeft'
  if (key === forward) return tabList[(index + 1) % tabList.length]
  if (key === back) return tabList[(index - 1 + tabList.length) % tabList.length]
  if (key === 'Home') return tabList[0]
  if (key === 'End') return tabList.at(-1)
  return undefined
}

/** Replaces the tabs of a group with many languages by a select. */
function addSelect(group: HTMLElement, tabList: readonly HTMLElement[]): void {
  // Nested groups have their own bars.
  const bar = findElement(':scope > .tabs-bar > [data-dropdown]', group)
  if (!bar) return
  const select = document.createElement('select')
  select.className = 'select'
  select.append(...tabList.map((tab) => new Option(tab.dataset.title, tab.id)))
  select.value = tabList.find((tab) => tab.dataset.active)?.id ?? ''
  const titles = tabList.map((tab) => tab.dataset.title).join(', ')
  select.setAttribute('aria-label', bar.getAttribute('aria-label') ?? titles)
  select.addEventListener('change', () => {
    const tab = tabList.find((one) => one.id === select.value)
    if (tab) chooseTab(tab)
  })
  bar.hidden = true
  bar.before(select)
}
