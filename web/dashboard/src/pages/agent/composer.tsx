/** Input for agent prompts: grows with its text, Ctrl/Cmd+Enter sends. Unsent text survives navigation in the app. */
import type { ComponentChildren, Ref } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Keys } from '../../ui/kbd.tsx'

/** Unsent drafts by location; they last until the app is closed. */
const drafts = new Map<string, string>()

export function useDraft(draftKey: string, first = ''): [string, (text: string) => void] {
  const [text, setText] = useState(() => (first === '' ? (drafts.get(draftKey) ?? '') : first))
  return [
    text,
    (next) => {
      drafts.set(draftKey, next)
      setText(next)
    },
  ]
}

interface ComposerProps {
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  onSend: () => void
  send: string
  isBusy: boolean
  error?: ComponentChildren
  below?: ComponentChildren
  attached?: ComponentChildren
  rows?: number
  fieldRef?: Ref<HTMLTextAreaElement>
}

export function Composer(props: ComposerProps) {
  const { text, onSend, send, isBusy, error, below, attached } = props
  const id = useId()
  const isEmpty = text.trim() === ''
  const submit = (event: Event) => {
    event.preventDefault()
    if (!isEmpty && !isBusy) onSend()
  }
  return (
    <form
      class="rounded-lg border border-line-strong bg-raised shadow-low focus-within:border-accent-8"
      onSubmit={submit}
    >
      <Box {...props} id={id} onSubmit={submit} />
      {attached}
      {error !== undefined && error !== null && (
        <div id={`${id}-error`} role="alert" class="px-4 pb-2 text-13 text-danger">
          {error}
        </div>
      )}
      <div class="flex items-center gap-x-3 gap-y-3 px-3 pb-3 max-sm:flex-col max-sm:items-stretch">
        <div class="min-w-0 flex-1 pl-1 text-12 text-soft">{below}</div>
        <span class="flex items-center gap-2 max-sm:[&>button]:flex-1">
          <Keys keys="mod+enter" />
          <Button type="submit" look="primary" icon="send" isBusy={isBusy} disabled={isEmpty}>
            {send}
          </Button>
        </span>
      </div>
    </form>
  )
}

function Box({
  id,
  label,
  placeholder,
  text,
  onText,
  onSubmit,
  error,
  rows = 3,
  fieldRef,
}: Omit<ComposerProps, 'onSend'> & { id: string; onSubmit: (event: Event) => void }) {
  return (
    <>
      <label for={id} class="sr-only">
        {label}
      </label>
      <textarea
        id={id}
        ref={fieldRef}
        dir="auto"
        rows={rows}
        value={text}
        placeholder={placeholder}
        aria-describedby={error ? `${id}-error` : undefined}
        aria-invalid={error ? true : undefined}
        class="field-sizing-content max-h-80 w-full resize-none bg-transparent px-4 pt-3 pb-2 text-14 leading-relaxed outline-none"
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) onSubmit(event)
        }}
      />
    </>
  )
}
