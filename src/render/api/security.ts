/**
 * Describes the authentication of an operation: one method or several alternatives, with their credentials.
 */
import {
  asArray,
  asObject,
  asText,
  followReference,
  type Json,
  type JsonObject,
} from '../../openapi/api-json.ts'
import { anchorPath, appendPropertySegment, claimAnchor, type FieldScope } from './field-scope.ts'
import { createDocsLink } from './fields.ts'
import type { ApiBlock, ApiChoice, ApiFact, ApiField } from './reference.ts'

export interface Credential {
  location: 'header' | 'query' | 'cookie'
  name: string
  /** Placeholder for samples. */
  value: string
}

export interface Security {
  blocks: ApiBlock[]
  /** Credentials of the first method that requires any. */
  credentials: Credential[]
}

/**
 * Reads `security` of the operation or, if not set, of the document. An empty list means no authentication.
 */
export function readSecurity(scope: FieldScope, operation: JsonObject): Security {
  const requirements = asArray(operation.security ?? scope.root.security).map(asObject)
  return describeRequirements(scope, requirements)
}

export function describeRequirements(scope: FieldScope, requirements: readonly JsonObject[]): Security {
  const described = requirements.map((requirement) => describeRequirement(scope, requirement))
  const withFields = described.filter((requirement) => requirement.fields.length > 0)
  const first = withFields[0]
  if (!first) return { blocks: [], credentials: [] }
  const { credentials } = first
  if (described.length === 1) return { blocks: [{ kind: 'fields', fields: first.fields }], credentials }
  const choices = described.map((requirement): ApiChoice => {
    const blocks: ApiBlock[] =
      requirement.fields.length > 0 ? [{ kind: 'fields', fields: requirement.fields }] : []
    return { title: requirement.title, note: '', blocks }
  })
  return {
    blocks: [{ kind: 'choice', label: '', choices, isStatus: false }],
    credentials,
  }
}

interface DescribedRequirement {
  title: string
  fields: ApiField[]
  credentials: Credential[]
}

function describeRequirement(scope: FieldScope, requirement: JsonObject): DescribedRequirement {
  const schemes = asObject(asObject(scope.root.components).securitySchemes)
  const parts = Object.entries(requirement).map(([name, scopes]) => {
    const scheme = Object.hasOwn(schemes, name) ? followReference(scope.root, schemes[name]) : {}
    return describeScheme(scope, name, scheme, asArray(scopes))
  })
  return {
    title: Object.keys(requirement).join(' + ') || scope.words.apiNone,
    fields: parts.flatMap((part) => part.field),
    credentials: parts.flatMap((part) => part.credential ?? []),
  }
}

interface Scheme {
  field: ApiField
  credential: Credential | null
}

export function describeScheme(scope: FieldScope, id: string, scheme: JsonObject, scopes: Json[]): Scheme {
  const { words } = scope
  const kind = String(scheme.type ?? '')
  const method = String(scheme.scheme ?? '').toLowerCase()
  const defaultText = asText(scheme['x-default'])
  const facts = createFlowFacts(scope, scheme)
  const pill = asText(scheme.in)
  addScopes(scope, facts, scheme, scopes)
  const make = (
    name: string,
    location: Credential['location'] | null,
    text: string,
    value: string | null,
  ): Scheme => ({
    field: {
      ...claimAnchor(scope, appendPropertySegment(scope, anchorPath('authorization'), name)),
      name,
      type: location === null && kind !== '' ? kind : 'string',
      isRequired: true,
      isDeprecated: scheme.deprecated === true,
      before: [],
      pills: location !== null ? [location] : pill === null ? [] : [pill],
      initial: null,
      description: [asText(scheme.description) ?? text, createDocsLink(scheme.externalDocs)]
        .filter((part) => part !== '')
        .join('\n\n'),
      facts,
      blocks: [],
      same: null,
    },
    credential: location === null || value === null ? null : { location, name, value: defaultText ?? value },
  })
  // In message brokers, API keys are sent as user name or password.
  if (kind === 'apiKey' && (scheme.in === 'user' || scheme.in === 'password'))
    return make(asText(scheme.name) ?? id, null, words.apiKeyText, null)
  if (kind === 'apiKey' || kind === 'httpApiKey') {
    const location = scheme.in === 'query' || scheme.in === 'cookie' ? scheme.in : 'header'
    return make(asText(scheme.name) ?? id, location, words.apiKeyText, '<api-key>')
  }
  if (kind === 'http' && method === 'basic') {
    return make('Authorization', 'header', words.apiBasicText, `Basic ${defaultText ?? '<credentials>'}`)
  }
  if (kind === 'http' && method !== '' && method !== 'bearer') {
    const value = `${asText(scheme.scheme) ?? method} ${defaultText ?? '<credentials>'}`
    facts.push({ label: words.apiFormat, values: [{ text: value, note: '' }] })
    return make('Authorization', 'header', '', value)
  }
  if (kind === 'http' || kind === 'oauth2' || kind === 'openIdConnect') {
    return make('Authorization', 'header', words.apiBearerText, `Bearer ${defaultText ?? '<token>'}`)
  }
  return make(id, null, '', null)
}

function createFlowFacts(scope: FieldScope, scheme: JsonObject): ApiFact[] {
  const facts: ApiFact[] = []
  const format = asText(scheme.bearerFormat)
  if (format !== null) facts.push({ label: scope.words.apiFormat, values: [{ text: format, note: '' }] })
  const discovery = asText(scheme.openIdConnectUrl)
  if (discovery !== null) facts.push({ label: 'OpenID Connect', values: [{ text: discovery, note: '' }] })
  const metadata = asText(scheme.oauth2MetadataUrl)
  if (metadata !== null) facts.push({ label: 'OAuth 2.0', values: [{ text: metadata, note: '' }] })
  for (const [name, flow] of Object.entries(asObject(scheme.flows))) {
    const { authorizationUrl, deviceAuthorizationUrl, tokenUrl, refreshUrl } = asObject(flow)
    const addresses = [authorizationUrl, deviceAuthorizationUrl, tokenUrl, refreshUrl].flatMap(
      (one) => asText(one) ?? [],
    )
    const values = addresses.map((text) => ({ text, note: '' }))
    facts.push({ label: `OAuth 2.0 ${name}`, values })
  }
  return facts.filter((fact) => fact.values.length > 0)
}

/** Adds the required scopes or, if none are named, all scopes of the scheme. */
function addScopes(scope: FieldScope, facts: ApiFact[], scheme: JsonObject, scopeNames: Json[]): void {
  const meanings = new Map<string, string>()
  for (const flow of Object.values(asObject(scheme.flows))) {
    const { scopes, availableScopes } = asObject(flow)
    for (const [name, text] of Object.entries(asObject(scopes ?? availableScopes))) {
      meanings.set(name, asText(text) ?? '')
    }
  }
  const names = scopeNames.filter((one) => typeof one === 'string')
  const shown = names.length > 0 ? names : [...meanings.keys()]
  const values = shown.map((text) => ({ text, note: meanings.get(text) ?? '' }))
  if (values.length > 0) facts.push({ label: scope.words.apiScopes, values })
}
