/** Authentication for the selected server. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { TypedCredential } from '../../../src/openapi/credentials.ts'
import type { OAuthFlow, PlaygroundData, PlaygroundScheme } from '../../../src/openapi/playground-data.ts'
import { CAN_SIGN_IN, discover, getRedirectUrl, openIdScopes, requestToken } from './oauth.ts'
import { CAN_STORE } from './playground-storage.ts'
import { uiText } from './ui-text.ts'

export interface SchemeState {
  typed: TypedCredential
  isRemembered: boolean
}

interface AuthFormProps {
  data: PlaygroundData
  way: number
  onWay(way: number): void
  stateOf(scheme: PlaygroundScheme): SchemeState
  onChange(scheme: PlaygroundScheme, state: SchemeState): void
}

export function AuthForm({ data, way, onWay, stateOf, onChange }: AuthFormProps) {
  const { ways } = data
  if (ways.every((schemes) => schemes.length === 0)) return null
  const schemes = ways[way] ?? []
  return (
    <section class="try-section">
      <h3>{uiText('apiAuthorization')}</h3>
      {ways.length > 1 && (
        <select
          class="try-input"
          aria-label={uiText('apiAuthorization')}
          value={String(way)}
          onChange={(event) => onWay(Number(event.currentTarget.value))}
        >
          {ways.map((one, index) => (
            <option value={String(index)} key={index}>
              {one.map(({ name }) => name).join(' + ') || uiText('apiNone')}
            </option>
          ))}
        </select>
      )}
      {schemes.map((scheme) =>
        isSendable(data, scheme) ? (
          <SchemeFields
            key={scheme.name}
            scheme={scheme}
            state={stateOf(scheme)}
            onChange={(state) => onChange(scheme, state)}
          />
        ) : (
          <p class="try-about" key={scheme.name}>
            <span class="try-name">{scheme.name}</span> {uiText('tryNoHeaders')}
          </p>
        ),
      )}
    </section>
  )
}

/** Returns whether a credential can be sent; for a WebSocket connection, only credentials in the URL can. */
function isSendable({ messages }: PlaygroundData, scheme: PlaygroundScheme): boolean {
  return messages === null || (scheme.kind === 'key' && scheme.place === 'query')
}

interface SchemeProps {
  scheme: PlaygroundScheme
  state: SchemeState
  onChange(state: SchemeState): void
}

function SchemeFields({ scheme, state, onChange }: SchemeProps) {
  const { typed, isRemembered } = state
  const change = (more: TypedCredential) => onChange({ isRemembered, typed: { ...typed, ...more } })
  const text = (field: keyof TypedCredential, label: string, isSecret = true) => (
    <Secret
      label={label}
      isSecret={isSecret}
      value={typed[field] ?? ''}
      onChange={(value) => change({ [field]: value })}
    />
  )
  const keyLabel =
    scheme.kind === 'key'
      ? scheme.parameter
      : scheme.kind === 'other'
        ? scheme.scheme || scheme.name
        : uiText('tryToken')
  return (
    <div class="try-scheme">
      {scheme.kind === 'basic' ? (
        <>
          {text('username', uiText('tryUser'), false)}
          {text('password', uiText('tryPassword'))}
        </>
      ) : (
        text('token', keyLabel)
      )}
      {scheme.kind === 'key' && scheme.place === 'cookie' && <p class="try-about">{uiText('tryCookies')}</p>}
      {scheme.description !== '' && <p class="try-about">{scheme.description}</p>}
      {scheme.kind === 'oauth2' &&
        scheme.flows.map((flow) => (
          <TokenForm
            key={flow.kind}
            {...{ typed, change, scopes: scheme.scopes }}
            kind={flow.kind}
            flow={async () => flow}
            known={flow}
          />
        ))}
      {scheme.kind === 'openid' && (
        <TokenForm
          {...{ typed, change, scopes: openIdScopes(scheme.scopes) }}
          kind="authorizationCode"
          known={null}
          flow={(signal) => discover(scheme.discovery, signal)}
        />
      )}
      {CAN_STORE && (
        <label class="try-check">
          <input
            type="checkbox"
            checked={isRemembered}
            onChange={(event) => onChange({ typed, isRemembered: event.currentTarget.checked })}
          />
          {uiText('tryKeep')}
        </label>
      )}
    </div>
  )
}

function Secret({
  label,
  value,
  isSecret,
  onChange,
}: {
  label: string
  value: string
  isSecret: boolean
  onChange(value: string): void
}) {
  const id = useId()
  const shared = {
    id,
    value,
    class: 'try-input',
    autocomplete: 'off' as const,
    spellcheck: false,
    onInput: (event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value),
  }
  return (
    <div class="try-field">
      <label class="try-label try-name" for={id}>
        {label}
      </label>
      {isSecret ? <input {...shared} type="password" /> : <input {...shared} type="text" />}
    </div>
  )
}

interface TokenFormProps {
  kind: OAuthFlow['kind']
  /** Null when the flow must be discovered first. */
  known: OAuthFlow | null
  flow(signal: AbortSignal): Promise<OAuthFlow>
  scopes: readonly string[]
  typed: TypedCredential
  change(typed: TypedCredential): void
}

function TokenForm({ kind, known, flow, scopes, typed, change }: TokenFormProps) {
  const [state, setState] = useState<'still' | 'asking' | { failed: string }>('still')
  const asking = useRef<AbortController | null>(null)
  useEffect(() => () => asking.current?.abort(), [])
  const isCode = kind === 'authorizationCode'
  if (isCode && !CAN_SIGN_IN) return <p class="try-about">{uiText('trySecure')}</p>
  const initial = (scopes.length > 0 ? scopes : (known?.scopes ?? [])).join(' ')
  const ask = async () => {
    asking.current?.abort()
    const controller = new AbortController()
    asking.current = controller
    setState('asking')
    try {
      const found = await flow(controller.signal)
      const token = await requestToken(
        found,
        { ...typed, scopes: typed.scopes ?? initial },
        controller.signal,
      )
      change({ token })
      setState('still')
    } catch (error) {
      if (!controller.signal.aborted) setState({ failed: (error as Error).message })
    }
  }
  const cancel = () => {
    asking.current?.abort()
    setState('still')
  }
  const field = (name: keyof TypedCredential, label: string, value: string, isSecret = false) => (
    <Secret label={label} isSecret={isSecret} value={value} onChange={(next) => change({ [name]: next })} />
  )
  return (
    <details class="try-token">
      <summary>
        {uiText('tryGetToken')} <span class="try-type">{kind}</span>
      </summary>
      {field('clientId', uiText('tryClientId'), typed.clientId ?? '')}
      {field('clientSecret', uiText('tryClientSecret'), typed.clientSecret ?? '', true)}
      {field('scopes', uiText('apiScopes'), typed.scopes ?? initial)}
      {isCode && <p class="try-about">{uiText('tryRedirect', { address: getRedirectUrl() })}</p>}
      {known && <p class="try-about">{uiText('tryGoesTo', { host: new URL(known.tokenUrl).host })}</p>}
      <button type="button" class="try-small" onClick={() => (state === 'asking' ? cancel() : void ask())}>
        {uiText(state === 'asking' ? 'tryCancel' : 'tryGetToken')}
      </button>
      {typeof state === 'object' && (
        <p class="try-fault" role="alert">
          {uiText('tryTokenFailed', { reason: state.failed })}
        </p>
      )}
    </details>
  )
}
