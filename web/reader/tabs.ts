/**
 * Tabs and code groups. Choosing a title activates it in every group of the page that has it, and on later pages.
 * Hidden panels are reachable by find-in-page, which opens them.
 */
import { chosenOf, onTitleChosenElsewhere, rememberTitle } from './chosen-titles.ts'
import { all, one } from './dom.ts'

export function tabs(): void {
  const groups = all('[data-tabs]')
  for (const group of groups) {
    const tabList = tabsOf(group)
    show(group, rememberedTab(group) ?? tabList.find((one) => one.dataset.active) ?? tabList[0])
    group.addEventListener('beforematch', (event) => {
      const panel = event.target as HTMLElement
      show(group, tabOf(tabList, panel))
    })
    addSelect(group, tabList)
  }
  onTitleChosenElsewhere(() => {
    for (const group of groups) show(group, rememberedTab(group))
  })
  document.addEventListener('click', (event) => {
    const tab = event.target instanceof Element ? event.target.closest<HTMLElement>('[role="tab"]') : null
    if (tab) choose(tab)
  })
  document.addEventListener('keydown', (event) => {
    const tab = event.target instanceof Element ? event.target.closest<HTMLElement>('[role="tab"]') : null
    const group = tab?.closest<HTMLElement>('[data-tabs]')
    if (!tab || !group) return
    const tabList = tabsOf(group)
    const next = nextTab(tabList, tabList.indexOf(tab), event.key)
    if (!next) return
    event.preventDefault()
    choose(next)
    next.focus()
  })
}

/** Activates the panels that contain the element, at every level. */
export function revealInTabs(element: Element): void {
  for (let panel = element.closest<HTMLElement>('[role="tabpanel"]'); panel; ) {
    const group = panel.parentElement
    if (!group) return
    show(group, tabOf(tabsOf(group), panel))
    panel = group.closest<HTMLElement>('[role="tabpanel"]')
  }
}

/** Returns the tab of a panel; the active one if several tabs share it. */
function tabOf(tabList: readonly HTMLElement[], panel: HTMLElement): HTMLElement | undefined {
  const showing = tabList.filter((tab) => panelOf(tab) === panel.id)
  return showing.find((tab) => tab.dataset.active) ?? showing[0]
}

function choose(tab: HTMLElement): void {
  const group = tab.closest<HTMLElement>('[data-tabs]')
  if (!group) return
  show(group, tab)
  const title = tab.dataset.title ?? ''
  if (group.dataset.sync === undefined) return
  if (group.dataset.sync !== 'page') rememberTitle(title)
  // Groups above may change their height, so the scroll position is corrected.
  const before = tab.getBoundingClientRect().top
  for (const other of all('[data-tabs][data-sync]')) {
    if (other !== group)
      show(
        other,
        tabsOf(other).find((one) => one.dataset.title === title),
      )
  }
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
}

/** Returns the tab with the most recently chosen title, for groups that are synchronized. */
function rememberedTab(group: HTMLElement): HTMLElement | undefined {
  if (group.dataset.sync === undefined) return undefined
  const tabList = tabsOf(group)
  const title = chosenOf(tabList.map((tab) => tab.dataset.title ?? ''))
  return tabList.find((tab) => tab.dataset.title === title)
}

function show(group: HTMLElement, chosen: HTMLElement | undefined): void {
  if (!chosen) return
  for (const tab of tabsOf(group)) {
    const isChosen = tab === chosen
    tab.setAttribute('aria-selected', String(isChosen))
    tab.tabIndex = isChosen ? 0 : -1
    mark(tab, isChosen)
    const panel = document.getElementById(panelOf(tab))
    if (!panel) continue
    // Several tabs may share a panel.
    const isShown = panel.id === panelOf(chosen)
    mark(panel, isShown)
    if (isShown) panel.removeAttribute('hidden')
    else panel.setAttribute('hidden', 'until-found')
  }
  const select = one<HTMLSelectElement>(':scope > .tabs-bar > select', group)
  if (select) select.value = chosen.id
}

/** Returns the id of a tab's panel. */
function panelOf(tab: HTMLElement): string {
  return tab.getAttribute('aria-controls') ?? ''
}

function mark(element: HTMLElement, isActive: boolean): void {
  if (isActive) element.dataset.active = 'true'
  else delete element.dataset.active
}

/** Returns the tabs of this group, without those of nested groups. */
function tabsOf(group: HTMLElement): HTMLElement[] {
  const bar = group.firstElementChild
  return bar ? all('[role="tab"]', bar) : []
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
  const bar = one(':scope > .tabs-bar > [data-dropdown]', group)
  if (!bar) return
  const select = document.createElement('select')
  select.className = 'select'
  select.append(...tabList.map((tab) => new Option(tab.dataset.title, tab.id)))
  select.value = tabList.find((tab) => tab.dataset.active)?.id ?? ''
  const titles = tabList.map((tab) => tab.dataset.title).join(', ')
  select.setAttribute('aria-label', bar.getAttribute('aria-label') ?? titles)
  select.addEventListener('change', () => {
    const tab = tabList.find((one) => one.id === select.value)
    if (tab) choose(tab)
  })
  bar.hidden = true
  bar.before(select)
}
