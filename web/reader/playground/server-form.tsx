import { useId } from 'preact/hooks'
import type { PlaygroundData, ServerVariable } from '../../../src/openapi/playground-data.ts'
import { expandServerUrl } from '../../../src/openapi/servers.ts'
import { changeVariable, type FormState } from './form-state.ts'
import { uiText } from './ui-text.ts'

interface ServerFormProps {
  data: PlaygroundData
  form: FormState
  onChange(form: Partial<FormState>): void
}

export function ServerForm({ data, form, onChange }: ServerFormProps) {
  const server = data.servers[form.server]
  if (!server || (data.servers.length === 1 && server.variables.length === 0)) return null
  return (
    <section class="try-section">
      <h3>{uiText('apiServer')}</h3>
      {data.servers.length > 1 && (
        <select
          class="try-input"
          aria-label={uiText('apiServer')}
          value={String(form.server)}
          onChange={(event) => onChange({ server: Number(event.currentTarget.value) })}
        >
          {data.servers.map((one, index) => (
            <option value={String(index)} key={one.url}>
              {expandServerUrl(one)}
            </option>
          ))}
        </select>
      )}
      {server.description !== '' && <p class="try-about">{server.description}</p>}
      {server.variables.map((variable) => (
        <Variable
          key={variable.name}
          variable={variable}
          value={form.given[variable.name] ?? form.variables[variable.name] ?? ''}
          onChange={(value) => onChange(changeVariable(form, variable.name, value))}
        />
      ))}
    </section>
  )
}

function Variable({
  variable,
  value,
  onChange,
}: {
  variable: ServerVariable
  value: string
  onChange(value: string): void
}) {
  const id = useId()
  const { name, options, description } = variable
  return (
    <div class="try-field">
      <label class="try-label try-name" for={id}>
        {name}
      </label>
      {options.length > 0 ? (
        <select
          id={id}
          class="try-input"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {options.map((one) => (
            <option value={one} key={one}>
              {one}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          class="try-input"
          autocomplete="off"
          spellcheck={false}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {description !== '' && <p class="try-about">{description}</p>}
    </div>
  )
}
