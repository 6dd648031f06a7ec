import AuthHubPrimitives
import Platform

extension DevelopmentUser {
    /// Returns the user as in `GET /user`.
    func gitHubObject(issuer: String, repositoryCount: Int) -> JSONObject {
        var object = summary(issuer: issuer)
        object["name"] = .string(name)
        object["company"] = .null
        object["email"] = .string(email)
        object["bio"] = .null
        object["location"] = .null
        object["blog"] = ""
        object["public_repos"] = .number(JSONNumber(Int64(repositoryCount)))
        object["followers"] = 20
        object["following"] = 0
        object["created_at"] = "2011-01-25T18:44:36Z"
        object["updated_at"] = "2024-02-20T03:01:10Z"
        return object
    }

    /// Returns the user as the owner of something.
    func summary(issuer: String) -> JSONObject {
        var object = JSONObject()
        object["login"] = .string(login)
        object["id"] = .number(JSONNumber(Int64(id)))
        object["node_id"] = .string("U_\(id)")
        object["avatar_url"] = .string("\(issuer)/avatars/\(id)")
        object["gravatar_id"] = ""
        object["url"] = .string("\(issuer)/users/\(login)")
        object["html_url"] = .string("\(issuer)/\(login)")
        object["repos_url"] = .string("\(issuer)/users/\(login)/repos")
        object["type"] = "User"
        object["site_admin"] = false
        return object
    }
}

extension Repository {
    /// Returns the repository as in `GET /user/repos`.
    func gitHubObject(owner: DevelopmentUser, issuer: String) -> JSONObject {
        let fullName = "\(owner.login)/\(name)"
        var object = JSONObject()
        object["id"] = .number(JSONNumber(id))
        object["node_id"] = .string("R_\(id)")
        object["name"] = .string(name)
        object["full_name"] = .string(fullName)
        object["private"] = .bool(isPrivate)
        object["owner"] = .object(owner.summary(issuer: issuer))
        object["html_url"] = .string("\(issuer)/\(fullName)")
        object["description"] = description.map { .string($0) } ?? .null
        object["fork"] = .bool(isFork)
        object["url"] = .string("\(issuer)/repos/\(fullName)")
        object["clone_url"] = .string("\(issuer)/\(fullName).git")
        object["created_at"] = .string(createdAt.formatted(.iso8601))
        object["updated_at"] = .string(pushedAt.formatted(.iso8601))
        object["pushed_at"] = .string(pushedAt.formatted(.iso8601))
        object["homepage"] = .null
        object["size"] = .number(JSONNumber(stars * 3 + 108))
        object["stargazers_count"] = .number(JSONNumber(stars))
        object["watchers_count"] = .number(JSONNumber(stars))
        object["language"] = language.map { .string($0) } ?? .null
        object["forks_count"] = .number(JSONNumber(stars / 9))
        object["open_issues_count"] = .number(JSONNumber(openIssues))
        object["archived"] = .bool(name.hasSuffix("-legacy"))
        object["disabled"] = false
        object["license"] = .null
        object["topics"] = .array(language.map { [.string($0.lowercased())] } ?? [])
        object["visibility"] = .string(isPrivate ? "private" : "public")
        object["default_branch"] = "main"
        object["permissions"] = ["admin": true, "maintain": true, "push": true, "triage": true, "pull": true]
        return object
    }
}
