/** Authentication of an operation: one method, or a choice of several, with the credentials of each. */
import {
  fieldsOf,
  followReference,
  type Json,
  type JsonObject,
  listOf,
  textOf,
} from '../../openapi/api-json.ts'
import { anchorPath, claimAnchor, type FieldScope, joinPath } from './field-scope.ts'
import { documentsLink } from './fields.ts'
import type { ApiBlock, ApiChoice, ApiFact, ApiField } from './reference.ts'

export interface Credential {
  place: 'header' | 'query' | 'cookie'
  name: string
  /** Placeholder written in samples. */
  value: string
}

export interface Security {
  blocks: ApiBlock[]
  /** Credentials of the first method that requires any. */
  credentials: Credential[]
}

/** `security` of the operation overrides that of the document; an empty list means no authentication. */
export function readSecurity(scope: FieldScope, operation: JsonObject): Security {
  const ways = listOf(operation.security ?? scope.root.security).map(fieldsOf)
  return describeWays(scope, ways)
}

export function describeWays(scope: FieldScope, ways: readonly JsonObject[]): Security {
  const described = ways.map((way) => describeWay(scope, way))
  const asking = described.filter((way) => way.fields.length > 0)
  const first = asking[0]
  if (!first) return { blocks: [], credentials: [] }
  const { credentials } = first
  if (described.length === 1) return { blocks: [{ kind: 'fields', fields: first.fields }], credentials }
  const choices = described.map((way): ApiChoice => {
    const blocks: ApiBlock[] = way.fields.length > 0 ? [{ kind: 'fields', fields: way.fields }] : []
    return { title: way.title, note: '', blocks }
  })
  return {
    blocks: [{ kind: 'choice', label: '', choices, isStatus: false }],
    credentials,
  }
}

interface Way {
  title: string
  fields: ApiField[]
  credentials: Credential[]
}

function describeWay(scope: FieldScope, way: JsonObject): Way {
  const schemes = fieldsOf(fieldsOf(scope.root.components).securitySchemes)
  const parts = Object.entries(way).map(([name, scopes]) => {
    const scheme = Object.hasOwn(schemes, name) ? followReference(scope.root, schemes[name]) : {}
    return describeScheme(scope, name, scheme, listOf(scopes))
  })
  return {
    title: Object.keys(way).join(' + ') || scope.words.apiNone,
    fields: parts.flatMap((part) => part.field),
    credentials: parts.flatMap((part) => part.credential ?? []),
  }
}

interface Scheme {
  field: ApiField
  credential: Credential | null
}

/** Describes a scheme as the field that a caller sends. */
export function describeScheme(scope: FieldScope, id: string, scheme: JsonObject, scopes: Json[]): Scheme {
  const { words } = scope
  const kind = String(scheme.type ?? '')
  const method = String(scheme.scheme ?? '').toLowerCase()
  const given = textOf(scheme['x-default'])
  const facts = flowFacts(scope, scheme)
  const pill = textOf(scheme.in)
  addScopes(scope, facts, scheme, scopes)
  const make = (
    name: string,
    place: Credential['place'] | null,
    text: string,
    value: string | null,
  ): Scheme => ({
    field: {
      ...claimAnchor(scope, joinPath(scope, anchorPath('authorization'), name)),
      name,
      type: place === null && kind !== '' ? kind : 'string',
      isRequired: true,
      isDeprecated: scheme.deprecated === true,
      before: [],
      pills: place !== null ? [place] : pill === null ? [] : [pill],
      initial: null,
      description: [textOf(scheme.description) ?? text, documentsLink(scheme.externalDocs)]
        .filter((part) => part !== '')
        .join('\n\n'),
      facts,
      blocks: [],
      same: null,
    },
    credential: place === null || value === null ? null : { place, name, value: given ?? value },
  })
  // Message brokers take API keys as user name or password.
  if (kind === 'apiKey' && (scheme.in === 'user' || scheme.in === 'password'))
    return make(textOf(scheme.name) ?? id, null, words.apiKeyText, null)
  if (kind === 'apiKey' || kind === 'httpApiKey') {
    const place = scheme.in === 'query' || scheme.in === 'cookie' ? scheme.in : 'header'
    return make(textOf(scheme.name) ?? id, place, words.apiKeyText, '<api-key>')
  }
  if (kind === 'http' && method === 'basic') {
    return make('Authorization', 'header', words.apiBasicText, `Basic ${given ?? '<credentials>'}`)
  }
  if (kind === 'http' && method !== '' && method !== 'bearer') {
    const value = `${textOf(scheme.scheme) ?? method} ${given ?? '<credentials>'}`
    facts.push({ label: words.apiFormat, values: [{ text: value, note: '' }] })
    return make('Authorization', 'header', '', value)
  }
  if (kind === 'http' || kind === 'oauth2' || kind === 'openIdConnect') {
    return make('Authorization', 'header', words.apiBearerText, `Bearer ${given ?? '<token>'}`)
  }
  return make(id, null, '', null)
}

function flowFacts(scope: FieldScope, scheme: JsonObject): ApiFact[] {
  const facts: ApiFact[] = []
  const format = textOf(scheme.bearerFormat)
  if (format !== null) facts.push({ label: scope.words.apiFormat, values: [{ text: format, note: '' }] })
  const discovery = textOf(scheme.openIdConnectUrl)
  if (discovery !== null) facts.push({ label: 'OpenID Connect', values: [{ text: discovery, note: '' }] })
  const metadata = textOf(scheme.oauth2MetadataUrl)
  if (metadata !== null) facts.push({ label: 'OAuth 2.0', values: [{ text: metadata, note: '' }] })
  for (const [name, flow] of Object.entries(fieldsOf(scheme.flows))) {
    const { authorizationUrl, deviceAuthorizationUrl, tokenUrl, refreshUrl } = fieldsOf(flow)
    const addresses = [authorizationUrl, deviceAuthorizationUrl, tokenUrl, refreshUrl].flatMap(
      (one) => textOf(one) ?? [],
    )
    const values = addresses.map((text) => ({ text, note: '' }))
    facts.push({ label: `OAuth 2.0 ${name}`, values })
  }
  return facts.filter((fact) => fact.values.length > 0)
}

/** Adds the scopes the operation requires, or else all scopes, with their descriptions. */
function addScopes(scope: FieldScope, facts: ApiFact[], scheme: JsonObject, wanted: Json[]): void {
  const meanings = new Map<string, string>()
  for (const flow of Object.values(fieldsOf(scheme.flows))) {
    const { scopes, availableScopes } = fieldsOf(flow)
    for (const [name, text] of Object.entries(fieldsOf(scopes ?? availableScopes))) {
      meanings.set(name, textOf(text) ?? '')
    }
  }
  const names = wanted.filter((one) => typeof one === 'string')
  const shown = names.length > 0 ? names : [...meanings.keys()]
  const values = shown.map((text) => ({ text, note: meanings.get(text) ?? '' }))
  if (values.length > 0) facts.push({ label: scope.words.apiScopes, values })
}
