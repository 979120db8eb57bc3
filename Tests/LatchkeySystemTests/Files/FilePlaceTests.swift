import LatchkeySystem
import Testing

@Suite(.timeLimit(.minutes(60)))
struct FilePlaceTests {
    @Test(arguments: [
        ("a", ".", "a"), ("x/a", "x", "a"), ("/a", "/", "a"), ("/x/y/a", "/x/y", "a"), ("./a", ".", "a"),
        ("x/", "x", ""),
    ])
    func `a path is split into the folder and the name`(path: String, folder: String, name: String) {
        let place = FilePlace(path)
        #expect(place.folder == folder && place.name == name)
    }

    @Test(arguments: [
        ("a", "b", "b"), ("x/a", "b", "x/b"), ("x/a", "/b", "/b"), ("/a", "b", "/b"), ("/x/a", "y/b", "/x/y/b"),
    ])
    func `a relative path in a file is relative to the file's folder`(file: String, path: String, led: String) {
        #expect(FilePlace(file).path(of: path) == led)
    }
}
