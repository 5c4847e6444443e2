/** How people sign in to this node, and the links that the operator hands out. */
import { createSetupToken } from '../accounts/setup.ts'
import { createSignIn, type SignIn } from '../accounts/sign-in.ts'
import type { SingleSignOn } from '../accounts/single-sign-on.ts'
import type { Database } from '../database/database.ts'
import type { Config, Secrets } from './config.ts'
import type { Context } from './context.ts'

export function createNodeSignIn(context: Context, secrets: Secrets): SignIn {
  return createSignIn({ ...context, singleSignOn: singleSignOnOf(context.config, secrets) })
}

/** Where the first owner is made; null when there is one. */
export async function setupLink(context: {
  database: Database
  publicUrl(): string
}): Promise<string | null> {
  const token = await createSetupToken(context.database)
  return token === null ? null : `${context.publicUrl()}/setup#token=${token}`
}

function singleSignOnOf({ oidc }: Config, { oidcClientSecret }: Secrets): SingleSignOn | null {
  return oidc === null || oidcClientSecret === null ? null : { ...oidc, clientSecret: oidcClientSecret }
}
