import { callAuth } from './send.ts'

/** Redirects to the provider, which returns to the given path. */
export async function startSingleSignOn(body: {
  email?: string
  link?: true
  callbackURL: string
  errorCallbackURL?: string
}): Promise<void> {
  const { url } = await callAuth<{ url: string }>('sign-in/social', { errorCallbackURL: '/sign-in', ...body })
  location.assign(url)
}
