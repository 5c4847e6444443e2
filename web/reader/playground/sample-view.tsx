/** Code samples of the request, in the languages of the site. */
import { useEffect, useState } from 'preact/hooks'
import { type BuiltRequest, toSampleRequest } from '../../../src/openapi/build-request.ts'
import type { ApiSample } from '../../../src/openapi/sample-call.ts'
import { writeSamples } from '../../../src/openapi/samples.ts'
import { uiText } from './ui-text.ts'

export function SampleView({ request, languages }: { request: BuiltRequest; languages: readonly string[] }) {
  const [samples, setSamples] = useState<readonly ApiSample[]>([])
  const [chosen, choose] = useState(() => readPageLanguage())
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    let isOver = false
    void writeSamples(toSampleRequest(request), languages).then((made) => {
      if (!isOver) setSamples(made)
    })
    return () => {
      isOver = true
    }
  }, [request, languages])
  const sample = samples.find(({ title }) => title === chosen) ?? samples[0]
  if (!sample) return null
  const copy = async () => {
    await navigator.clipboard?.writeText(sample.code)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <section class="try-sample">
      <div class="try-bar">
        <h3>{uiText('tryCode')}</h3>
        <select
          class="try-input"
          aria-label={uiText('language')}
          value={sample.title}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {samples.map(({ title }) => (
            <option value={title} key={title}>
              {title}
            </option>
          ))}
        </select>
        {navigator.clipboard && (
          <button type="button" class="try-small" onClick={() => void copy()}>
            {uiText(isCopied ? 'copied' : 'copy')}
          </button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <section class="try-body" tabIndex={0} aria-label={uiText('tryCode')}>
        <pre>{sample.code}</pre>
      </section>
    </section>
  )
}

function readPageLanguage(): string | null {
  const select = document.querySelector<HTMLSelectElement>('#request-example select')
  return select?.selectedOptions[0]?.textContent?.trim() ?? null
}
