import CWidgets

/// The user's folders by the XDG Base Directory Specification.
public enum Places {
    public static var configuration: String { String(cString: cw_config_folder()) }
    public static var data: String { String(cString: cw_data_folder()) }
    public static var state: String { String(cString: cw_state_folder()) }
}
