/** Parameters grouped by location. */
import { useMemo } from 'preact/hooks'
import { parameterKey } from '../../../src/openapi/build-request.ts'
import { createPlaygroundScope, type FormValue } from '../../../src/openapi/form-value.ts'
import type { PlaygroundData } from '../../../src/openapi/playground-data.ts'
import { SchemaField } from './schema-field.tsx'
import { uiText } from './ui-text.ts'

const PLACES = {
  path: 'apiPath',
  query: 'apiQuery',
  querystring: 'apiQuery',
  header: 'apiHeader',
  cookie: 'apiCookie',
} as const

interface ParametersFormProps {
  data: PlaygroundData
  values: Readonly<Record<string, FormValue>>
  missing: readonly string[]
  onChange(values: Readonly<Record<string, FormValue>>): void
}

export function ParametersForm({ data, values, missing, onChange }: ParametersFormProps) {
  const scope = useMemo(() => createPlaygroundScope(data), [data])
  return (
    <>
      {Object.entries(PLACES).map(([place, title]) => {
        const here = data.parameters.filter((one) => one.place === place)
        if (here.length === 0) return null
        return (
          <section class="try-section" key={place}>
            <h3>{uiText(title)}</h3>
            {place === 'cookie' && <p class="try-about">{uiText('tryCookies')}</p>}
            {here.map((parameter) => {
              const key = parameterKey(parameter)
              return (
                <SchemaField
                  key={key}
                  scope={scope}
                  schema={parameter.schema}
                  name={parameter.name}
                  value={values[key]}
                  isRequired={parameter.isRequired}
                  isDeprecated={parameter.isDeprecated}
                  description={parameter.description}
                  isMissing={missing.includes(key)}
                  onChange={(value) => onChange({ ...values, [key]: value })}
                />
              )
            })}
          </section>
        )
      })}
    </>
  )
}
