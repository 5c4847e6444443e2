/** Request body: fields based on its schema, text, or a file. */
import { useId, useMemo } from 'preact/hooks'
import { bodyKind } from '../../../src/openapi/build-request.ts'
import { createPlaygroundScope } from '../../../src/openapi/form-value.ts'
import type { PlaygroundData } from '../../../src/openapi/playground-data.ts'
import { createBody, type FormState, toTextBody, toValueBody } from './form-state.ts'
import { SchemaField } from './schema-field.tsx'
import { uiText } from './ui-text.ts'

interface BodyFormProps {
  data: PlaygroundData
  form: FormState
  isMissing: boolean
  onChange(form: Partial<FormState>): void
}

export function BodyForm(props: BodyFormProps) {
  const { data, form, onChange } = props
  const media = data.bodies[form.media]
  // Browsers do not send a body with these methods.
  if (!media || data.method === 'GET' || data.method === 'HEAD') return null
  const isJson = bodyKind(media) === 'json'
  return (
    <section class="try-section" data-missing={props.isMissing || undefined}>
      <div class="try-bar">
        <h3>{uiText(data.messages ? 'apiMessages' : 'apiBody')}</h3>
        {data.bodies.length > 1 ? (
          <select
            class="try-input"
            aria-label={uiText(data.messages ? 'apiMessages' : 'apiMedia')}
            value={String(form.media)}
            onChange={({ currentTarget: { value } }) => {
              const chosen = data.bodies[Number(value)]
              if (chosen) onChange({ media: Number(value), body: createBody(data, chosen, false) })
            }}
          >
            {data.bodies.map(({ type }, index) => (
              <option value={String(index)} key={index}>
                {data.messages?.[index] ?? type}
              </option>
            ))}
          </select>
        ) : (
          <span class="try-type">{data.messages?.[0] ?? media.type}</span>
        )}
        {isJson && <FormSwitch {...props} />}
      </div>
      <BodyFields {...props} key={form.media} />
    </section>
  )
}

/** Switches between form and JSON, which hold the same value; invalid JSON cannot become a form. */
function FormSwitch({ form, onChange }: BodyFormProps) {
  const value = toValueBody(form.body)
  const isText = form.body.kind === 'text'
  return (
    <span class="try-switch">
      <button
        type="button"
        aria-pressed={!isText}
        disabled={value === null}
        onClick={() => value && onChange({ body: value })}
      >
        {uiText('tryForm')}
      </button>
      <button type="button" aria-pressed={isText} onClick={() => onChange({ body: toTextBody(form.body) })}>
        JSON
      </button>
    </span>
  )
}

function BodyFields({ data, form, onChange }: BodyFormProps) {
  const id = useId()
  const scope = useMemo(() => createPlaygroundScope(data), [data])
  const media = data.bodies[form.media]
  const { body } = form
  if (!media) return null
  switch (body.kind) {
    case 'file':
      return (
        <input
          class="try-input"
          type="file"
          aria-label={uiText('apiBody')}
          onChange={({ currentTarget: { files } }) =>
            onChange({ body: { kind: 'file', file: files?.[0] ?? null } })
          }
        />
      )
    case 'text': {
      const isBroken = bodyKind(media) === 'json' && toValueBody(body) === null
      return (
        <>
          <textarea
            class="try-input try-code"
            aria-label={uiText('apiBody')}
            aria-invalid={isBroken || undefined}
            aria-describedby={isBroken ? `${id}-fault` : undefined}
            spellcheck={false}
            rows={Math.min(30, Math.max(8, body.text.split('\n').length))}
            value={body.text}
            onInput={(event) => onChange({ body: { kind: 'text', text: event.currentTarget.value } })}
          />
          {isBroken && (
            <p class="try-fault" id={`${id}-fault`}>
              {uiText('tryNotJson')}
            </p>
          )}
        </>
      )
    }
    case 'value':
      return (
        <SchemaField
          scope={scope}
          schema={media.schema}
          name={null}
          value={body.value}
          isRequired={data.isBodyRequired}
          onChange={(value) => onChange({ body: { kind: 'value', value } })}
        />
      )
  }
}
