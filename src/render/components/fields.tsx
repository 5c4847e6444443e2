/** Rows for parameters and properties: name, type, constraints and description. */
import { type ComponentChildren, isValidElement } from 'preact'
import { pageScope } from '../isolate/page-scope.ts'
import { fieldSlug, slug } from '../tree/slug.ts'
import type { AuthorProps } from './author-props.tsx'
import {
  classes,
  isBlank,
  isRenderable,
  otherAnchors,
  readClass,
  readFlag,
  readList,
  readNonBlankText,
} from './author-props.tsx'

const PARAMETER_PROPS = ['path', 'query', 'body', 'header', 'cookie'] as const

/** Maximum length of a default value in the row. */
const MAX_DEFAULT_LENGTH = 50

export function ParamField(props: AuthorProps) {
  const location = PARAMETER_PROPS.find((name) => readNonBlankText(props[name]) !== null) ?? null
  const name =
    (location === null ? null : readNonBlankText(props[location])) ?? readNonBlankText(props.name) ?? ''
  if (readFlag(props.hidden)) return null
  return <Field props={props} name={name} location={location} className="param-field" />
}

export function ResponseField(props: AuthorProps) {
  return (
    <Field
      props={props}
      name={readNonBlankText(props.name) ?? ''}
      location={null}
      className="response-field"
    />
  )
}

function Field(field: { props: AuthorProps; name: string; location: string | null; className: string }) {
  const { props, name, location } = field
  const own = readNonBlankText(props.id)
  const id = pageScope().anchor(own ?? `param-${fieldSlug(name)}`)
  // Alternative id according to the previous rule, which did not split names at capital letters and underscores.
  const earlier = own === null ? slug(`param-${name.replace(/[^\p{L}\p{N}_]+/gu, '-')}`) : id
  const type = readNonBlankText(props.type) ?? (isValidElement(props.type) ? props.type : null)
  const isRequired = readFlag(props.required)
  return (
    <div class={classes('field', field.className, readClass(props))} id={id}>
      {otherAnchors(earlier === id ? [] : [earlier])}
      <div class="field-header">
        {/* The spaces separate words without a style sheet: in the search index and in copied text. */}
        {readList(props.pre).map((text) => (
          <Pill text={text} key={text} />
        ))}
        {name !== '' && (
          <a class="field-name" href={`#${id}`} data-component-part="field-name">
            {name}
          </a>
        )}{' '}
        {type && (
          <span class="field-type" data-component-part="field-info-pill">
            {type}
          </span>
        )}{' '}
        {location && location !== 'body' && <span class="field-location">{location}</span>}{' '}
        {readList(props.post).map((text) => (
          <Pill text={text} key={text} />
        ))}
        {isRequired && (
          <span class="field-required" data-component-part="field-required-pill">
            {pageScope().text('fieldRequired')}
          </span>
        )}{' '}
        {readFlag(props.deprecated) && (
          <span class="field-deprecated">{pageScope().text('fieldDeprecated')}</span>
        )}{' '}
        <Default value={props.default} />
      </div>
      {!isBlank(props.children) && <div class="field-content">{props.children}</div>}
    </div>
  )
}

function Pill({ text }: { text: string }) {
  return (
    <>
      <span class="field-pill">{text}</span>{' '}
    </>
  )
}

function Default({ value }: { value: unknown }): ComponentChildren {
  const text = defaultText(value)
  if (text === null || text.length > MAX_DEFAULT_LENGTH) return null
  return (
    <span class="field-default">
      {pageScope().text('fieldDefault')} <code>{text}</code>
    </span>
  )
}

function defaultText(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'boolean') return String(value)
  if (isRenderable(value) && typeof value !== 'object') return String(value)
  if (Array.isArray(value) && value.length === 0) return '[]'
  return null
}
