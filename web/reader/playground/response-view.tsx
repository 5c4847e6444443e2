/** Response: status, time, size, headers, and the body rendered by type. */

import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Json } from '../../../src/openapi/api-json.ts'
import type { Answer } from './send-request.ts'
import { uiText } from './ui-text.ts'
import { parseWebUrl } from './web-url.ts'

export function ResponseView({ answer, url }: { answer: Answer; url: string }) {
  const { status, statusText, headers, milliseconds, bytes } = answer
  return (
    <div class="try-answer">
      <p class="try-status" role="status">
        <span class="status-dot" data-kind={String(status)[0]} aria-hidden="true" />
        <strong>
          {status} {statusText}
        </strong>
        <span class="try-type">
          {Math.round(milliseconds)} ms · {formatSize(bytes)}
          {answer.isDone ? '' : ' …'}
        </span>
      </p>
      <details class="try-headers">
        <summary>
          {uiText('apiHeaders')} <span class="try-type">{headers.length}</span>
        </summary>
        <dl>
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      <Body answer={answer} url={url} />
    </div>
  )
}

export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Longer text is truncated and longer JSON is collapsed, so that the page stays responsive. */
const MAX_SHOWN_CHARACTERS = 200_000

function Body({ answer, url }: { answer: Answer; url: string }) {
  const { text, type, isDone, isCut } = answer
  const json = useMemo(
    () => (isDone && !isCut && text !== null ? parseJsonText(text) : undefined),
    [text, isDone, isCut],
  )
  if (text === null) return <FileBody answer={answer} url={url} />
  const isLong = text.length > MAX_SHOWN_CHARACTERS
  return (
    <>
      {text !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
        <section class="try-body" tabIndex={0} aria-label={uiText('apiResponse')}>
          {json === undefined ? (
            <pre>{text.slice(0, MAX_SHOWN_CHARACTERS)}</pre>
          ) : (
            <JsonTree value={json} openDepth={isLong ? 1 : INITIAL_OPEN_DEPTH} />
          )}
        </section>
      )}
      {(isCut || (isLong && json === undefined)) && <p class="try-about">{uiText('tryCut')}</p>}
      {isDone && text !== '' && <Download answer={answer} url={url} type={type} />}
    </>
  )
}

function FileBody({ answer, url }: { answer: Answer; url: string }) {
  const { file, type, isDone } = answer
  const address = useMemo(
    () => (file && isDone ? URL.createObjectURL(new Blob([file], { type: safeContentType(type) })) : null),
    [file, isDone],
  )
  useEffect(() => () => void (address && URL.revokeObjectURL(address)), [address])
  if (address === null) return null
  return (
    <>
      {/^image\//i.test(type) && <img class="try-media" src={address} alt={uiText('apiResponse')} />}
      {/^audio\//i.test(type) && (
        // biome-ignore lint/a11y/useMediaCaption: what a server answers has none.
        <audio class="try-media" controls src={address} />
      )}
      {/^video\//i.test(type) && (
        // biome-ignore lint/a11y/useMediaCaption: what a server answers has none.
        <video class="try-media" controls src={address} />
      )}
      <p class="try-about">{uiText('tryFile')}</p>
      <Download answer={answer} url={url} type={type} />
    </>
  )
}

/** Returns a safe content type: a response opened in its own tab must not run as a page of this site. */
function safeContentType(type: string): string {
  return /^(?:image\/(?!svg)|audio\/|video\/)[\w.+-]+/i.exec(type)?.[0] ?? 'application/octet-stream'
}

function Download({ answer, url, type }: { answer: Answer; url: string; type: string }) {
  const { file } = answer
  return (
    <button
      type="button"
      class="try-small"
      onClick={() => file && saveFile(file, fileName(answer, url, type))}
    >
      {uiText('download')}
    </button>
  )
}

/** Saves a file with a type that browsers do not open automatically. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(new Blob([file], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

function fileName({ headers }: Answer, url: string, type: string): string {
  const disposition = headers.find(([name]) => name.toLowerCase() === 'content-disposition')?.[1] ?? ''
  const given = /filename="?([^";]+)/i.exec(disposition)?.[1]?.split(/[\\/]/).at(-1)
  if (given) return given
  const last = parseWebUrl(url)?.pathname.split('/').filter(Boolean).at(-1) ?? 'answer'
  const ending = /json|xml|csv|html|png|jpeg|pdf|zip/i.exec(type)?.[0]?.toLowerCase()
  return /\.\w{1,5}$/.test(last) || !ending ? last : `${last}.${ending}`
}

export function parseJsonText(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

export function JsonTree({ value, openDepth = INITIAL_OPEN_DEPTH }: { value: Json; openDepth?: number }) {
  return (
    <div class="try-json">
      <JsonNode value={value} lead={null} levels={openDepth} tail="" />
    </div>
  )
}

/** Maximum items rendered per array or object, and characters per string. */
const MAX_ITEMS = 500
const MAX_TEXT_CHARACTERS = 20_000
/** Levels expanded initially. */
const INITIAL_OPEN_DEPTH = 3

interface JsonNodeProps {
  value: Json
  lead: string | null
  levels: number
  tail: string
}

function JsonNode({ value, lead, levels, tail }: JsonNodeProps) {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    return <JsonBranch {...{ value, lead, levels, tail }} />
  }
  return (
    <div class="try-line">
      <JsonName lead={lead} />
      <span data-kind={value === null ? 'null' : typeof value}>{leafText(value)}</span>
      {tail}
    </div>
  )
}

function leafText(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS)}…` : text
}

function JsonName({ lead }: { lead: string | null }) {
  if (lead === null) return null
  return (
    <>
      <span class="try-key">{JSON.stringify(lead)}</span>:{' '}
    </>
  )
}

function JsonBranch({ value, lead, levels, tail }: JsonNodeProps & { value: object }) {
  const [isOpen, setOpen] = useState(levels > 0)
  const entries = Object.entries(value) as [string, Json][]
  const isList = Array.isArray(value)
  const [open, close] = isList ? '[]' : '{}'
  const shown = entries.slice(0, MAX_ITEMS)
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <JsonName lead={lead} />
        {open}
        {!isOpen && (
          <>
            …{close}
            {tail} <span class="try-type">{entries.length}</span>
          </>
        )}
      </summary>
      {isOpen && (
        <>
          <div class="try-nested">
            {shown.map(([key, one], index) => (
              <JsonNode
                key={key}
                value={one}
                lead={isList ? null : key}
                levels={levels - 1}
                tail={index < entries.length - 1 ? ',' : ''}
              />
            ))}
            {shown.length < entries.length && <div class="try-about">{uiText('tryCut')}</div>}
          </div>
          <div class="try-line">
            {close}
            {tail}
          </div>
        </>
      )}
    </details>
  )
}
