import { PageHeader } from '../../ui/page.tsx'

export function InvitationPage() {
  return <PageHeader title="Invitation" />
}
