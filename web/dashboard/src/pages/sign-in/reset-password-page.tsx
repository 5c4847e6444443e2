import { PageHeader } from '../../ui/page.tsx'

export function ResetPasswordPage() {
  return <PageHeader title="New password" />
}
