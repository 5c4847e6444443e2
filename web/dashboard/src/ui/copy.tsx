import { useEffect, useRef, useState } from 'preact/hooks'
import { rich, t } from '../words/words.ts'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import { Tooltip } from './tooltip.tsx'

const COPIED_NOTICE_MS = 1600

export function useCopy(): [boolean, (text: string) => Promise<void>] {
  const [isCopied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return [
    isCopied,
    async (text) => {
      await copyText(text)
      setCopied(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setCopied(false), COPIED_NOTICE_MS)
    },
  ]
}

/** Copies text. The clipboard API requires https or localhost; otherwise a selected field is copied. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  const container = document.querySelector('dialog:modal') ?? document.body
  container.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

export function CopyId({
  id,
  label = t('Copy'),
  isWhole = true,
  shown = isWhole ? id : `…${id.slice(-6)}`,
}: {
  id: string
  label?: string
  isWhole?: boolean
  /** Text shown instead of the id, such as its most useful part. */
  shown?: string
}) {
  const [isCopied, copy] = useCopy()
  return (
    <Tooltip text={shown === id ? label : t('{label}: {value}', { label, value: id })}>
      <button
        type="button"
        class="group inline-flex min-w-0 max-w-full coarse:min-h-8 items-center gap-1 rounded-sm font-mono text-12 text-soft hover:text-text"
        onClick={(event) => {
          event.stopPropagation()
          void copy(id)
        }}
      >
        <span class="truncate">{shown}</span>
        <Icon
          name={isCopied ? 'check' : 'copy'}
          size={12}
          class={classes(isCopied ? 'text-success' : 'text-faint group-hover:text-soft')}
        />
        <span class="sr-only" aria-live="polite">
          {isCopied ? t('Copied') : label}
        </span>
      </button>
    </Tooltip>
  )
}

export function RequestId({ id }: { id: string }) {
  return (
    <span class="flex items-center gap-1 text-12 text-faint">
      {rich('Request {id}', { id: <CopyId id={id} label={t('Copy the request ID')} /> })}
    </span>
  )
}

export function CopyField({ text, label, onCopied }: { text: string; label: string; onCopied?: () => void }) {
  const [isCopied, copy] = useCopy()
  return (
    <div class="flex items-stretch overflow-hidden rounded-sm border border-line-strong bg-sunken">
      <input
        readOnly
        aria-label={label}
        value={text}
        class="h-9 coarse:h-(--control) min-w-0 flex-1 bg-transparent px-3 font-mono text-13 outline-offset-[-2px]"
        onFocus={(event) => event.currentTarget.select()}
      />
      <button
        type="button"
        class="flex items-center gap-1.5 border-l border-line-strong bg-raised px-3 text-13 font-medium outline-offset-[-2px] hover:bg-neutral-3"
        onClick={() => void copy(text).then(() => onCopied?.())}
      >
        <Icon name={isCopied ? 'check' : 'copy'} size={14} class={isCopied ? 'text-success' : ''} />
        <span aria-live="polite">{isCopied ? t('Copied') : t('Copy')}</span>
      </button>
    </div>
  )
}
