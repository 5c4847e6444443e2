/** Words of API pages. */

export const API_ENGLISH = {
  apiAuthorization: 'Authorization',
  apiPath: 'Path parameters',
  apiQuery: 'Query parameters',
  apiHeader: 'Header parameters',
  apiCookie: 'Cookie parameters',
  apiBody: 'Body',
  apiResponse: 'Response',
  apiResponses: 'Responses',
  apiStatus: 'Status',
  apiHeaders: 'Headers',
  apiCallbacks: 'Callbacks',
  apiLinks: 'Links',
  apiServer: 'Server',
  apiMedia: 'Media type',
  apiLanguage: 'Language',
  apiRequest: 'Request',
  apiRequired: 'required',
  apiDefault: 'default',
  apiDeprecated: 'deprecated',
  apiReadOnly: 'read-only',
  apiWriteOnly: 'write-only',
  apiShow: 'Show fields',
  apiHide: 'Hide fields',
  apiOneOf: 'One of',
  apiAnyOf: 'Any of',
  apiSame: 'Described above:',
  apiKey: 'key',
  apiOptions: 'Options',
  apiAlways: 'Always',
  apiRange: 'Range',
  apiLength: 'Length',
  apiItems: 'Items',
  apiKeys: 'Fields',
  apiUnique: 'all different',
  apiPattern: 'Pattern',
  apiMultiple: 'Multiple of',
  apiNot: 'Not',
  apiExample: 'Example',
  apiExamples: 'Examples',
  apiFormat: 'Format',
  apiScopes: 'Scopes',
  apiNone: 'None',
  apiMore: 'The description holds more fields than are shown here.',
  apiBearerText: 'A token, sent as `Bearer <token>`.',
  apiBasicText:
    'User name and password with a colon between them, Base64-encoded, sent as `Basic <credentials>`.',
  apiKeyText: 'The key of the interface.',
  apiSend: 'Send',
  apiReceive: 'Receive',
  apiMessages: 'Messages',
  apiPayload: 'Payload',
  apiReply: 'Reply',
  apiBindings: 'Bindings',
  apiAddress: 'Address',
  apiModel: 'Fields',
} as const

export type ApiWords = Readonly<Record<keyof typeof API_ENGLISH, string>>

const KEYS = Object.keys(API_ENGLISH) as (keyof ApiWords)[]

/** The words of API pages alone, out of all words of a language. */
export function apiWords(text: ApiWords): ApiWords {
  return Object.fromEntries(KEYS.map((key) => [key, text[key]])) as ApiWords
}
