import { PageHeader } from '../../ui/page.tsx'

export function AccountPage() {
  return <PageHeader title="Your account" />
}
