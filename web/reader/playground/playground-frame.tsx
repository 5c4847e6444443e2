/** Shared parts of all forms: the operation and the request target. */
import type { PlaygroundData } from '../../../src/openapi/playground-data.ts'
import { uiText } from './ui-text.ts'
import { parseWebUrl } from './web-url.ts'

export function Head({ data, onClose }: { data: PlaygroundData; onClose(): void }) {
  return (
    <header class="try-head">
      <h2 id="try-title">
        <span class="method-pill" data-method={data.method}>
          {data.method}
        </span>{' '}
        <span class="try-path">{data.path}</span>
      </h2>
      <button type="button" class="try-small" onClick={onClose}>
        {uiText('close')}
      </button>
    </header>
  )
}

export function RequestTarget({ address, missing }: { address: string; missing: readonly string[] }) {
  return (
    <p class="try-goes">
      {missing.length > 0 ? (
        <span class="try-fault" role="alert">
          {uiText('tryMissing', { names: missing.map(parameterName).join(', ') })}
        </span>
      ) : (
        uiText('tryGoesTo', { host: parseWebUrl(address)?.host ?? address })
      )}
    </p>
  )
}

function parameterName(key: string): string {
  return key === 'body' ? uiText('apiBody') : key.slice(key.indexOf(' ') + 1)
}
