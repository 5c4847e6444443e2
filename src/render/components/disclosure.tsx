/** Collapsible content. Uses `<details>` to work without scripts and with find-in-page. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { pageScope } from '../isolate/page-scope.ts'
import type { AuthorProps } from './author-props.tsx'
import {
  classes,
  iconElement,
  readClass,
  readFlag,
  readNonBlankText,
  toMarkup,
  toPlainText,
} from './author-props.tsx'

/** Id of the enclosing accordion. Prefixed, with a colon, to the ids of nested accordions. */
const ParentAccordion = createContext<string | null>(null)

export function Accordion(props: AuthorProps) {
  const parent = useContext(ParentAccordion)
  const own = readNonBlankText(props.id) ?? (toPlainText(props.title) || 'details')
  const anchor = pageScope().anchor(own)
  const id = parent === null ? anchor : `${parent}:${anchor}`
  return (
    <details class={classes('accordion', readClass(props))} id={id} open={readFlag(props.defaultOpen)}>
      <summary class="accordion-summary">
        {iconElement(props, { className: 'accordion-icon' })}
        <span class="accordion-label">
          <span class="accordion-title">{toMarkup(props.title, false)}</span>
          {readNonBlankText(props.description) && (
            <span class="accordion-description">{toMarkup(props.description, false)}</span>
          )}
        </span>
        <span class="chevron" aria-hidden="true" />
      </summary>
      <div class="accordion-content">
        <ParentAccordion.Provider value={id}>{props.children}</ParentAccordion.Provider>
      </div>
    </details>
  )
}

/** Renders the text before (0) or after (1) the title: one version for the open and one for the collapsed state. */
function ShowHideText({ part }: { part: 0 | 1 }) {
  const show = pageScope().text('showTitle').split('{title}')[part]
  const hide = pageScope().text('hideTitle').split('{title}')[part]
  return (
    <>
      {show && <span class="expandable-show">{show}</span>}
      {hide && <span class="expandable-hide">{hide}</span>}
    </>
  )
}

export function AccordionGroup(props: AuthorProps) {
  return (
    <div class={classes('accordion-group', readClass(props))}>
      {toPlainText(props.title) && <div class="accordion-group-title">{toMarkup(props.title)}</div>}
      {props.children}
    </div>
  )
}

export function Expandable(props: AuthorProps) {
  const title = toMarkup(props.title, false) || pageScope().text('childAttributes')
  return (
    <details class={classes('expandable', readClass(props))} open={readFlag(props.defaultOpen)}>
      <summary class="expandable-summary">
        <span class="chevron" aria-hidden="true" />
        <span>
          <ShowHideText part={0} />
          {title}
          <ShowHideText part={1} />
        </span>
      </summary>
      <div class="expandable-content">{props.children}</div>
    </details>
  )
}
