/**
 * Tabs. All panels are in the HTML. Without JavaScript they are shown one after the other with their titles.
 * With JavaScript (class `js` on the root, set before the first paint), a bar selects one panel.
 */
import type { ComponentChildren, VNode } from 'preact'
import { pageScope } from '../isolate/page-scope.ts'
import { fillText } from '../words/component-texts.ts'
import type { AuthorProps } from './author-props.tsx'
import {
  classes,
  iconElement,
  isBlank,
  readClass,
  readFlag,
  readNonBlankText,
  readNumber,
  toMarkup,
  toPlainText,
} from './author-props.tsx'
import { childElements } from './child-elements.tsx'

/** Renders title and content. Only used outside of Tabs. */
export function Tab(props: AuthorProps) {
  return (
    <section class="tab-alone">
      {toPlainText(props.title) && <div class="tab-panel-title">{toMarkup(props.title)}</div>}
      {props.children}
    </section>
  )
}

export function Tabs(props: AuthorProps) {
  const children = childElements(props.children, (type) => type === Tab)
  const tabs = children.flatMap((child) => (child.kind === 'wanted' ? [child.element] : []))
  const before = children.flatMap((child) => (child.kind === 'content' ? [child.content] : []))
  const panels = tabs.map((tab, index) => {
    const title = toPlainText(tab.props.title) || fillText(pageScope().text('tabNumber'), index + 1)
    return {
      id: pageScope().anchor(readNonBlankText(tab.props.id) ?? title),
      title,
      label: toMarkup(tab.props.title, false) ?? title,
      icon: iconElement(tab.props, { className: 'tab-icon' }),
      content: tab.props.children,
    }
  })
  return (
    <>
      {!isBlank(before) && before}
      {panels.length > 0 && (
        <TabGroup
          className={classes('tabs', readClass(props))}
          panels={panels}
          initial={readNumber(props.defaultTabIndex) ?? 0}
          isSynced={readFlag(props.sync, true)}
          hasLine={readFlag(props.borderBottom)}
        />
      )}
    </>
  )
}

export interface PanelContent {
  /** Unique on the page. */
  id: string
  title: string
  label: ComponentChildren
  icon: VNode | null
  content: ComponentChildren
  /** Id of an earlier panel with the same content, which is shown instead. */
  shows?: string | undefined
}

function TabButton({ panel, isInitial }: { panel: PanelContent; isInitial: boolean }) {
  return (
    <button
      type="button"
      role="tab"
      class="tab"
      id={`${panel.id}-tab`}
      aria-controls={panel.shows ?? panel.id}
      aria-selected={isInitial ? 'true' : 'false'}
      tabIndex={isInitial ? 0 : -1}
      data-title={panel.title}
      data-active={isInitial || undefined}
    >
      {panel.icon}
      {panel.label}
    </button>
  )
}

export function TabGroup(props: {
  className: string
  panels: readonly PanelContent[]
  initial: number
  isSynced: boolean
  /**
   * Whether a selection applies only to the groups on this page, for example a status. Otherwise it applies to all
   * pages, for example a language.
   */
  isSyncedHere?: boolean
  /** For screen readers. */
  groupLabel?: string | null
  lead?: ComponentChildren
  action?: ComponentChildren
  hasLine?: boolean
  /** Whether to select panels with a menu instead of tabs. */
  isDropdown?: boolean
}) {
  const initial = Math.max(0, Math.min(props.panels.length - 1, Math.round(props.initial)))
  return (
    <div
      class={props.className}
      data-tabs
      data-line={props.hasLine || undefined}
      data-sync={props.isSyncedHere ? 'page' : props.isSynced || undefined}
    >
      <div class="tabs-bar">
        {props.lead}
        <div
          class="tabs-list"
          role="tablist"
          aria-label={props.groupLabel || undefined}
          data-dropdown={props.isDropdown || undefined}
        >
          {props.panels.map((panel, index) => (
            <TabButton panel={panel} isInitial={index === initial} key={panel.id} />
          ))}
        </div>
        {props.action}
      </div>
      {props.panels.map((panel) => {
        if (panel.shows !== undefined) return null
        const tabs = props.panels.filter(({ id, shows }) => (shows ?? id) === panel.id)
        return (
          <div
            role="tabpanel"
            class="tab-panel"
            id={panel.id}
            key={panel.id}
            aria-labelledby={tabs.map(({ id }) => `${id}-tab`).join(' ')}
            data-title={tabs.map(({ title }) => title).join(', ')}
            data-active={tabs.includes(props.panels[initial] as PanelContent) || undefined}
          >
            {panel.content}
          </div>
        )
      })}
    </div>
  )
}
