/** Callouts: content with a tinted background and an icon. */
import type { ComponentChildren, VNode } from 'preact'
import { pageScope } from '../isolate/page-scope.ts'
import type { AuthorProps } from './author-props.tsx'
import { classes, iconElement, ownIcon, readClass, readNonBlankText, toMarkup } from './author-props.tsx'
import type { CalloutKind } from './callout-kinds.ts'
import { CALLOUTS, isCalloutKind } from './callout-kinds.ts'

export const Note = callout('note')
export const Info = callout('info')
export const Tip = callout('tip')
export const Check = callout('check')
export const Warning = callout('warning')
export const Danger = callout('danger')

export function Callout(props: AuthorProps) {
  const kind = isCalloutKind(props.type) ? props.type : null
  const color = readNonBlankText(props.color)
  const label = kind ? pageScope().text(CALLOUTS[kind].label) : undefined
  const icon = iconElement(props, { label }) ?? (kind ? ownIcon(CALLOUTS[kind].icon, { label }) : null)
  return (
    <Box kind={kind ?? 'custom'} icon={icon} color={color} title={props.title} className={readClass(props)}>
      {props.children}
    </Box>
  )
}

function callout(kind: CalloutKind) {
  return function PresetCallout(props: AuthorProps) {
    const label = pageScope().text(CALLOUTS[kind].label)
    const own = props.icon === undefined ? null : iconElement(props, { label })
    const icon = own ?? ownIcon(CALLOUTS[kind].icon, { label })
    return (
      <Box kind={kind} icon={icon} color={null} title={props.title} className={readClass(props)}>
        {props.children}
      </Box>
    )
  }
}

function Box(props: {
  kind: CalloutKind | 'custom'
  icon: VNode | null
  color: string | null
  title: unknown
  className: string
  children?: ComponentChildren
}) {
  const title = toMarkup(props.title)
  return (
    <div
      class={classes('callout', `callout-${props.kind}`, props.className)}
      data-callout-type={props.kind}
      style={props.color ? { '--callout': props.color } : undefined}
      data-colored={props.color !== null || undefined}
    >
      {props.icon && <div class="callout-icon">{props.icon}</div>}
      <div class="callout-content">
        {title && <div class="callout-title">{title}</div>}
        {props.children}
      </div>
    </div>
  )
}
