import { PageHeader } from '../../ui/page.tsx'

export function SignInPage() {
  return <PageHeader title="Sign in" />
}
