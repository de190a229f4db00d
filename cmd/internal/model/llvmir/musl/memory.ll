; ModuleID = '-'
source_filename = "-"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@memrchr = weak dso_local alias ptr (ptr, i32, i64), ptr @__memrchr

; Function Attrs: noinline nounwind
define dso_local i32 @bcmp(ptr noundef %0, ptr noundef %1, i64 noundef %2) #0 !dbg !9 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i64, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i64 %2, ptr %6, align 8
  %7 = load ptr, ptr %4, align 8, !dbg !13
  %8 = load ptr, ptr %5, align 8, !dbg !13
  %9 = load i64, ptr %6, align 8, !dbg !13
  %10 = call i32 @memcmp(ptr noundef %7, ptr noundef %8, i64 noundef %9) #2, !dbg !13
  ret i32 %10, !dbg !13
}

; Function Attrs: noinline nounwind
define dso_local i32 @memcmp(ptr noundef %0, ptr noundef %1, i64 noundef %2) #0 !dbg !14 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i64, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i64 %2, ptr %6, align 8
  %9 = load ptr, ptr %4, align 8, !dbg !16
  store ptr %9, ptr %7, align 8, !dbg !16
  %10 = load ptr, ptr %5, align 8, !dbg !16
  store ptr %10, ptr %8, align 8, !dbg !16
  br label %11, !dbg !17

11:                                               ; preds = %25, %3
  %12 = load i64, ptr %6, align 8, !dbg !17
  %13 = icmp ne i64 %12, 0, !dbg !17
  br i1 %13, label %14, label %22, !dbg !17

14:                                               ; preds = %11
  %15 = load ptr, ptr %7, align 8, !dbg !17
  %16 = load i8, ptr %15, align 1, !dbg !17
  %17 = zext i8 %16 to i32, !dbg !17
  %18 = load ptr, ptr %8, align 8, !dbg !17
  %19 = load i8, ptr %18, align 1, !dbg !17
  %20 = zext i8 %19 to i32, !dbg !17
  %21 = icmp eq i32 %17, %20, !dbg !17
  br label %22

22:                                               ; preds = %14, %11
  %23 = phi i1 [ false, %11 ], [ %21, %14 ], !dbg !18
  br i1 %23, label %24, label %32, !dbg !17

24:                                               ; preds = %22
  br label %25, !dbg !17

25:                                               ; preds = %24
  %26 = load i64, ptr %6, align 8, !dbg !17
  %27 = add i64 %26, -1, !dbg !17
  store i64 %27, ptr %6, align 8, !dbg !17
  %28 = load ptr, ptr %7, align 8, !dbg !17
  %29 = getelementptr inbounds i8, ptr %28, i32 1, !dbg !17
  store ptr %29, ptr %7, align 8, !dbg !17
  %30 = load ptr, ptr %8, align 8, !dbg !17
  %31 = getelementptr inbounds i8, ptr %30, i32 1, !dbg !17
  store ptr %31, ptr %8, align 8, !dbg !17
  br label %11, !dbg !17, !llvm.loop !19

32:                                               ; preds = %22
  %33 = load i64, ptr %6, align 8, !dbg !20
  %34 = icmp ne i64 %33, 0, !dbg !20
  br i1 %34, label %35, label %43, !dbg !20

35:                                               ; preds = %32
  %36 = load ptr, ptr %7, align 8, !dbg !20
  %37 = load i8, ptr %36, align 1, !dbg !20
  %38 = zext i8 %37 to i32, !dbg !20
  %39 = load ptr, ptr %8, align 8, !dbg !20
  %40 = load i8, ptr %39, align 1, !dbg !20
  %41 = zext i8 %40 to i32, !dbg !20
  %42 = sub nsw i32 %38, %41, !dbg !20
  br label %44, !dbg !20

43:                                               ; preds = %32
  br label %44, !dbg !20

44:                                               ; preds = %43, %35
  %45 = phi i32 [ %42, %35 ], [ 0, %43 ], !dbg !20
  ret i32 %45, !dbg !20
}

; Function Attrs: noinline nounwind
define dso_local void @bcopy(ptr noundef %0, ptr noundef %1, i64 noundef %2) #0 !dbg !21 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i64, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i64 %2, ptr %6, align 8
  %7 = load ptr, ptr %5, align 8, !dbg !23
  %8 = load ptr, ptr %4, align 8, !dbg !23
  %9 = load i64, ptr %6, align 8, !dbg !23
  %10 = call ptr @memmove(ptr noundef %7, ptr noundef %8, i64 noundef %9) #2, !dbg !23
  ret void, !dbg !24
}

; Function Attrs: noinline nounwind
define dso_local ptr @memmove(ptr noundef %0, ptr noundef %1, i64 noundef %2) #0 !dbg !25 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i64, align 8
  %8 = alloca ptr, align 8
  %9 = alloca ptr, align 8
  store ptr %0, ptr %5, align 8
  store ptr %1, ptr %6, align 8
  store i64 %2, ptr %7, align 8
  %10 = load ptr, ptr %5, align 8, !dbg !27
  store ptr %10, ptr %8, align 8, !dbg !27
  %11 = load ptr, ptr %6, align 8, !dbg !28
  store ptr %11, ptr %9, align 8, !dbg !28
  %12 = load ptr, ptr %8, align 8, !dbg !29
  %13 = load ptr, ptr %9, align 8, !dbg !29
  %14 = icmp eq ptr %12, %13, !dbg !29
  br i1 %14, label %15, label %17, !dbg !29

15:                                               ; preds = %3
  %16 = load ptr, ptr %8, align 8, !dbg !29
  store ptr %16, ptr %4, align 8, !dbg !29
  br label %68, !dbg !29

17:                                               ; preds = %3
  %18 = load ptr, ptr %9, align 8, !dbg !30
  %19 = ptrtoint ptr %18 to i64, !dbg !30
  %20 = load ptr, ptr %8, align 8, !dbg !30
  %21 = ptrtoint ptr %20 to i64, !dbg !30
  %22 = sub i64 %19, %21, !dbg !30
  %23 = load i64, ptr %7, align 8, !dbg !30
  %24 = sub i64 %22, %23, !dbg !30
  %25 = load i64, ptr %7, align 8, !dbg !30
  %26 = mul i64 -2, %25, !dbg !30
  %27 = icmp ule i64 %24, %26, !dbg !30
  br i1 %27, label %28, label %33, !dbg !30

28:                                               ; preds = %17
  %29 = load ptr, ptr %8, align 8, !dbg !30
  %30 = load ptr, ptr %9, align 8, !dbg !30
  %31 = load i64, ptr %7, align 8, !dbg !30
  %32 = call ptr @memcpy(ptr noundef %29, ptr noundef %30, i64 noundef %31) #2, !dbg !30
  store ptr %32, ptr %4, align 8, !dbg !30
  br label %68, !dbg !30

33:                                               ; preds = %17
  %34 = load ptr, ptr %8, align 8, !dbg !31
  %35 = load ptr, ptr %9, align 8, !dbg !31
  %36 = icmp ult ptr %34, %35, !dbg !31
  br i1 %36, label %37, label %51, !dbg !31

37:                                               ; preds = %33
  br label %38, !dbg !32

38:                                               ; preds = %47, %37
  %39 = load i64, ptr %7, align 8, !dbg !32
  %40 = icmp ne i64 %39, 0, !dbg !32
  br i1 %40, label %41, label %50, !dbg !32

41:                                               ; preds = %38
  %42 = load ptr, ptr %9, align 8, !dbg !32
  %43 = getelementptr inbounds i8, ptr %42, i32 1, !dbg !32
  store ptr %43, ptr %9, align 8, !dbg !32
  %44 = load i8, ptr %42, align 1, !dbg !32
  %45 = load ptr, ptr %8, align 8, !dbg !32
  %46 = getelementptr inbounds i8, ptr %45, i32 1, !dbg !32
  store ptr %46, ptr %8, align 8, !dbg !32
  store i8 %44, ptr %45, align 1, !dbg !32
  br label %47, !dbg !32

47:                                               ; preds = %41
  %48 = load i64, ptr %7, align 8, !dbg !32
  %49 = add i64 %48, -1, !dbg !32
  store i64 %49, ptr %7, align 8, !dbg !32
  br label %38, !dbg !32, !llvm.loop !33

50:                                               ; preds = %38
  br label %66, !dbg !34

51:                                               ; preds = %33
  br label %52, !dbg !35

52:                                               ; preds = %55, %51
  %53 = load i64, ptr %7, align 8, !dbg !35
  %54 = icmp ne i64 %53, 0, !dbg !35
  br i1 %54, label %55, label %65, !dbg !35

55:                                               ; preds = %52
  %56 = load i64, ptr %7, align 8, !dbg !35
  %57 = add i64 %56, -1, !dbg !35
  store i64 %57, ptr %7, align 8, !dbg !35
  %58 = load ptr, ptr %9, align 8, !dbg !35
  %59 = load i64, ptr %7, align 8, !dbg !35
  %60 = getelementptr inbounds i8, ptr %58, i64 %59, !dbg !35
  %61 = load i8, ptr %60, align 1, !dbg !35
  %62 = load ptr, ptr %8, align 8, !dbg !35
  %63 = load i64, ptr %7, align 8, !dbg !35
  %64 = getelementptr inbounds i8, ptr %62, i64 %63, !dbg !35
  store i8 %61, ptr %64, align 1, !dbg !35
  br label %52, !dbg !35, !llvm.loop !36

65:                                               ; preds = %52
  br label %66

66:                                               ; preds = %65, %50
  %67 = load ptr, ptr %5, align 8, !dbg !37
  store ptr %67, ptr %4, align 8, !dbg !37
  br label %68, !dbg !37

68:                                               ; preds = %66, %28, %15
  %69 = load ptr, ptr %4, align 8, !dbg !38
  ret ptr %69, !dbg !38
}

; Function Attrs: noinline nounwind
define dso_local void @bzero(ptr noundef %0, i64 noundef %1) #0 !dbg !39 {
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  store ptr %0, ptr %3, align 8
  store i64 %1, ptr %4, align 8
  %5 = load ptr, ptr %3, align 8, !dbg !41
  %6 = load i64, ptr %4, align 8, !dbg !41
  %7 = call ptr @memset(ptr noundef %5, i32 noundef 0, i64 noundef %6) #2, !dbg !41
  ret void, !dbg !42
}

; Function Attrs: noinline nounwind
define dso_local ptr @memset(ptr noundef %0, i32 noundef %1, i64 noundef %2) #0 !dbg !43 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i64, align 8
  %8 = alloca ptr, align 8
  %9 = alloca i64, align 8
  store ptr %0, ptr %5, align 8
  store i32 %1, ptr %6, align 4
  store i64 %2, ptr %7, align 8
  %10 = load ptr, ptr %5, align 8, !dbg !45
  store ptr %10, ptr %8, align 8, !dbg !45
  %11 = load i64, ptr %7, align 8, !dbg !46
  %12 = icmp ne i64 %11, 0, !dbg !46
  br i1 %12, label %15, label %13, !dbg !46

13:                                               ; preds = %3
  %14 = load ptr, ptr %5, align 8, !dbg !46
  store ptr %14, ptr %4, align 8, !dbg !46
  br label %97, !dbg !46

15:                                               ; preds = %3
  %16 = load i32, ptr %6, align 4, !dbg !47
  %17 = trunc i32 %16 to i8, !dbg !47
  %18 = load ptr, ptr %8, align 8, !dbg !47
  %19 = getelementptr inbounds i8, ptr %18, i64 0, !dbg !47
  store i8 %17, ptr %19, align 1, !dbg !47
  %20 = load i32, ptr %6, align 4, !dbg !48
  %21 = trunc i32 %20 to i8, !dbg !48
  %22 = load ptr, ptr %8, align 8, !dbg !48
  %23 = load i64, ptr %7, align 8, !dbg !48
  %24 = sub i64 %23, 1, !dbg !48
  %25 = getelementptr inbounds i8, ptr %22, i64 %24, !dbg !48
  store i8 %21, ptr %25, align 1, !dbg !48
  %26 = load i64, ptr %7, align 8, !dbg !49
  %27 = icmp ule i64 %26, 2, !dbg !49
  br i1 %27, label %28, label %30, !dbg !49

28:                                               ; preds = %15
  %29 = load ptr, ptr %5, align 8, !dbg !49
  store ptr %29, ptr %4, align 8, !dbg !49
  br label %97, !dbg !49

30:                                               ; preds = %15
  %31 = load i32, ptr %6, align 4, !dbg !50
  %32 = trunc i32 %31 to i8, !dbg !50
  %33 = load ptr, ptr %8, align 8, !dbg !50
  %34 = getelementptr inbounds i8, ptr %33, i64 1, !dbg !50
  store i8 %32, ptr %34, align 1, !dbg !50
  %35 = load i32, ptr %6, align 4, !dbg !51
  %36 = trunc i32 %35 to i8, !dbg !51
  %37 = load ptr, ptr %8, align 8, !dbg !51
  %38 = getelementptr inbounds i8, ptr %37, i64 2, !dbg !51
  store i8 %36, ptr %38, align 1, !dbg !51
  %39 = load i32, ptr %6, align 4, !dbg !52
  %40 = trunc i32 %39 to i8, !dbg !52
  %41 = load ptr, ptr %8, align 8, !dbg !52
  %42 = load i64, ptr %7, align 8, !dbg !52
  %43 = sub i64 %42, 2, !dbg !52
  %44 = getelementptr inbounds i8, ptr %41, i64 %43, !dbg !52
  store i8 %40, ptr %44, align 1, !dbg !52
  %45 = load i32, ptr %6, align 4, !dbg !53
  %46 = trunc i32 %45 to i8, !dbg !53
  %47 = load ptr, ptr %8, align 8, !dbg !53
  %48 = load i64, ptr %7, align 8, !dbg !53
  %49 = sub i64 %48, 3, !dbg !53
  %50 = getelementptr inbounds i8, ptr %47, i64 %49, !dbg !53
  store i8 %46, ptr %50, align 1, !dbg !53
  %51 = load i64, ptr %7, align 8, !dbg !54
  %52 = icmp ule i64 %51, 6, !dbg !54
  br i1 %52, label %53, label %55, !dbg !54

53:                                               ; preds = %30
  %54 = load ptr, ptr %5, align 8, !dbg !54
  store ptr %54, ptr %4, align 8, !dbg !54
  br label %97, !dbg !54

55:                                               ; preds = %30
  %56 = load i32, ptr %6, align 4, !dbg !55
  %57 = trunc i32 %56 to i8, !dbg !55
  %58 = load ptr, ptr %8, align 8, !dbg !55
  %59 = getelementptr inbounds i8, ptr %58, i64 3, !dbg !55
  store i8 %57, ptr %59, align 1, !dbg !55
  %60 = load i32, ptr %6, align 4, !dbg !56
  %61 = trunc i32 %60 to i8, !dbg !56
  %62 = load ptr, ptr %8, align 8, !dbg !56
  %63 = load i64, ptr %7, align 8, !dbg !56
  %64 = sub i64 %63, 4, !dbg !56
  %65 = getelementptr inbounds i8, ptr %62, i64 %64, !dbg !56
  store i8 %61, ptr %65, align 1, !dbg !56
  %66 = load i64, ptr %7, align 8, !dbg !57
  %67 = icmp ule i64 %66, 8, !dbg !57
  br i1 %67, label %68, label %70, !dbg !57

68:                                               ; preds = %55
  %69 = load ptr, ptr %5, align 8, !dbg !57
  store ptr %69, ptr %4, align 8, !dbg !57
  br label %97, !dbg !57

70:                                               ; preds = %55
  %71 = load ptr, ptr %8, align 8, !dbg !58
  %72 = ptrtoint ptr %71 to i64, !dbg !58
  %73 = sub i64 0, %72, !dbg !58
  %74 = and i64 %73, 3, !dbg !58
  store i64 %74, ptr %9, align 8, !dbg !58
  %75 = load i64, ptr %9, align 8, !dbg !59
  %76 = load ptr, ptr %8, align 8, !dbg !59
  %77 = getelementptr inbounds i8, ptr %76, i64 %75, !dbg !59
  store ptr %77, ptr %8, align 8, !dbg !59
  %78 = load i64, ptr %9, align 8, !dbg !60
  %79 = load i64, ptr %7, align 8, !dbg !60
  %80 = sub i64 %79, %78, !dbg !60
  store i64 %80, ptr %7, align 8, !dbg !60
  %81 = load i64, ptr %7, align 8, !dbg !61
  %82 = and i64 %81, -4, !dbg !61
  store i64 %82, ptr %7, align 8, !dbg !61
  br label %83, !dbg !62

83:                                               ; preds = %90, %70
  %84 = load i64, ptr %7, align 8, !dbg !62
  %85 = icmp ne i64 %84, 0, !dbg !62
  br i1 %85, label %86, label %95, !dbg !62

86:                                               ; preds = %83
  %87 = load i32, ptr %6, align 4, !dbg !62
  %88 = trunc i32 %87 to i8, !dbg !62
  %89 = load ptr, ptr %8, align 8, !dbg !62
  store i8 %88, ptr %89, align 1, !dbg !62
  br label %90, !dbg !62

90:                                               ; preds = %86
  %91 = load i64, ptr %7, align 8, !dbg !62
  %92 = add i64 %91, -1, !dbg !62
  store i64 %92, ptr %7, align 8, !dbg !62
  %93 = load ptr, ptr %8, align 8, !dbg !62
  %94 = getelementptr inbounds i8, ptr %93, i32 1, !dbg !62
  store ptr %94, ptr %8, align 8, !dbg !62
  br label %83, !dbg !62, !llvm.loop !63

95:                                               ; preds = %83
  %96 = load ptr, ptr %5, align 8, !dbg !64
  store ptr %96, ptr %4, align 8, !dbg !64
  br label %97, !dbg !64

97:                                               ; preds = %95, %68, %53, %28, %13
  %98 = load ptr, ptr %4, align 8, !dbg !65
  ret ptr %98, !dbg !65
}

; Function Attrs: noinline nounwind
define dso_local ptr @memccpy(ptr noalias noundef %0, ptr noalias noundef %1, i32 noundef %2, i64 noundef %3) #0 !dbg !66 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i64, align 8
  %10 = alloca ptr, align 8
  %11 = alloca ptr, align 8
  store ptr %0, ptr %6, align 8
  store ptr %1, ptr %7, align 8
  store i32 %2, ptr %8, align 4
  store i64 %3, ptr %9, align 8
  %12 = load ptr, ptr %6, align 8, !dbg !68
  store ptr %12, ptr %10, align 8, !dbg !68
  %13 = load ptr, ptr %7, align 8, !dbg !69
  store ptr %13, ptr %11, align 8, !dbg !69
  %14 = load i32, ptr %8, align 4, !dbg !70
  %15 = trunc i32 %14 to i8, !dbg !70
  %16 = zext i8 %15 to i32, !dbg !70
  store i32 %16, ptr %8, align 4, !dbg !70
  br label %17, !dbg !71

17:                                               ; preds = %30, %4
  %18 = load i64, ptr %9, align 8, !dbg !71
  %19 = icmp ne i64 %18, 0, !dbg !71
  br i1 %19, label %20, label %27, !dbg !71

20:                                               ; preds = %17
  %21 = load ptr, ptr %11, align 8, !dbg !71
  %22 = load i8, ptr %21, align 1, !dbg !71
  %23 = load ptr, ptr %10, align 8, !dbg !71
  store i8 %22, ptr %23, align 1, !dbg !71
  %24 = zext i8 %22 to i32, !dbg !71
  %25 = load i32, ptr %8, align 4, !dbg !71
  %26 = icmp ne i32 %24, %25, !dbg !71
  br label %27

27:                                               ; preds = %20, %17
  %28 = phi i1 [ false, %17 ], [ %26, %20 ], !dbg !72
  br i1 %28, label %29, label %37, !dbg !71

29:                                               ; preds = %27
  br label %30, !dbg !71

30:                                               ; preds = %29
  %31 = load i64, ptr %9, align 8, !dbg !71
  %32 = add i64 %31, -1, !dbg !71
  store i64 %32, ptr %9, align 8, !dbg !71
  %33 = load ptr, ptr %11, align 8, !dbg !71
  %34 = getelementptr inbounds i8, ptr %33, i32 1, !dbg !71
  store ptr %34, ptr %11, align 8, !dbg !71
  %35 = load ptr, ptr %10, align 8, !dbg !71
  %36 = getelementptr inbounds i8, ptr %35, i32 1, !dbg !71
  store ptr %36, ptr %10, align 8, !dbg !71
  br label %17, !dbg !71, !llvm.loop !73

37:                                               ; preds = %27
  br label %38, !dbg !71

38:                                               ; preds = %37
  %39 = load i64, ptr %9, align 8, !dbg !74
  %40 = icmp ne i64 %39, 0, !dbg !74
  br i1 %40, label %41, label %44, !dbg !74

41:                                               ; preds = %38
  %42 = load ptr, ptr %10, align 8, !dbg !74
  %43 = getelementptr inbounds i8, ptr %42, i64 1, !dbg !74
  store ptr %43, ptr %5, align 8, !dbg !74
  br label %45, !dbg !74

44:                                               ; preds = %38
  store ptr null, ptr %5, align 8, !dbg !75
  br label %45, !dbg !75

45:                                               ; preds = %44, %41
  %46 = load ptr, ptr %5, align 8, !dbg !76
  ret ptr %46, !dbg !76
}

; Function Attrs: noinline nounwind
define dso_local ptr @memchr(ptr noundef %0, i32 noundef %1, i64 noundef %2) #0 !dbg !77 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i64, align 8
  %7 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  store i64 %2, ptr %6, align 8
  %8 = load ptr, ptr %4, align 8, !dbg !79
  store ptr %8, ptr %7, align 8, !dbg !79
  %9 = load i32, ptr %5, align 4, !dbg !80
  %10 = trunc i32 %9 to i8, !dbg !80
  %11 = zext i8 %10 to i32, !dbg !80
  store i32 %11, ptr %5, align 4, !dbg !80
  br label %12, !dbg !81

12:                                               ; preds = %24, %3
  %13 = load i64, ptr %6, align 8, !dbg !81
  %14 = icmp ne i64 %13, 0, !dbg !81
  br i1 %14, label %15, label %21, !dbg !81

15:                                               ; preds = %12
  %16 = load ptr, ptr %7, align 8, !dbg !81
  %17 = load i8, ptr %16, align 1, !dbg !81
  %18 = zext i8 %17 to i32, !dbg !81
  %19 = load i32, ptr %5, align 4, !dbg !81
  %20 = icmp ne i32 %18, %19, !dbg !81
  br label %21

21:                                               ; preds = %15, %12
  %22 = phi i1 [ false, %12 ], [ %20, %15 ], !dbg !82
  br i1 %22, label %23, label %29, !dbg !81

23:                                               ; preds = %21
  br label %24, !dbg !81

24:                                               ; preds = %23
  %25 = load ptr, ptr %7, align 8, !dbg !81
  %26 = getelementptr inbounds i8, ptr %25, i32 1, !dbg !81
  store ptr %26, ptr %7, align 8, !dbg !81
  %27 = load i64, ptr %6, align 8, !dbg !81
  %28 = add i64 %27, -1, !dbg !81
  store i64 %28, ptr %6, align 8, !dbg !81
  br label %12, !dbg !81, !llvm.loop !83

29:                                               ; preds = %21
  %30 = load i64, ptr %6, align 8, !dbg !84
  %31 = icmp ne i64 %30, 0, !dbg !84
  br i1 %31, label %32, label %34, !dbg !84

32:                                               ; preds = %29
  %33 = load ptr, ptr %7, align 8, !dbg !84
  br label %35, !dbg !84

34:                                               ; preds = %29
  br label %35, !dbg !84

35:                                               ; preds = %34, %32
  %36 = phi ptr [ %33, %32 ], [ null, %34 ], !dbg !84
  ret ptr %36, !dbg !84
}

; Function Attrs: noinline nounwind
define dso_local ptr @memcpy(ptr noalias noundef %0, ptr noalias noundef %1, i64 noundef %2) #0 !dbg !85 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i64, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i64 %2, ptr %6, align 8
  %9 = load ptr, ptr %4, align 8, !dbg !87
  store ptr %9, ptr %7, align 8, !dbg !87
  %10 = load ptr, ptr %5, align 8, !dbg !88
  store ptr %10, ptr %8, align 8, !dbg !88
  br label %11, !dbg !89

11:                                               ; preds = %20, %3
  %12 = load i64, ptr %6, align 8, !dbg !89
  %13 = icmp ne i64 %12, 0, !dbg !89
  br i1 %13, label %14, label %23, !dbg !89

14:                                               ; preds = %11
  %15 = load ptr, ptr %8, align 8, !dbg !89
  %16 = getelementptr inbounds i8, ptr %15, i32 1, !dbg !89
  store ptr %16, ptr %8, align 8, !dbg !89
  %17 = load i8, ptr %15, align 1, !dbg !89
  %18 = load ptr, ptr %7, align 8, !dbg !89
  %19 = getelementptr inbounds i8, ptr %18, i32 1, !dbg !89
  store ptr %19, ptr %7, align 8, !dbg !89
  store i8 %17, ptr %18, align 1, !dbg !89
  br label %20, !dbg !89

20:                                               ; preds = %14
  %21 = load i64, ptr %6, align 8, !dbg !89
  %22 = add i64 %21, -1, !dbg !89
  store i64 %22, ptr %6, align 8, !dbg !89
  br label %11, !dbg !89, !llvm.loop !90

23:                                               ; preds = %11
  %24 = load ptr, ptr %4, align 8, !dbg !91
  ret ptr %24, !dbg !91
}

; Function Attrs: noinline nounwind
define dso_local ptr @mempcpy(ptr noundef %0, ptr noundef %1, i64 noundef %2) #0 !dbg !92 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i64, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i64 %2, ptr %6, align 8
  %7 = load ptr, ptr %4, align 8, !dbg !94
  %8 = load ptr, ptr %5, align 8, !dbg !94
  %9 = load i64, ptr %6, align 8, !dbg !94
  %10 = call ptr @memcpy(ptr noundef %7, ptr noundef %8, i64 noundef %9) #2, !dbg !94
  %11 = load i64, ptr %6, align 8, !dbg !94
  %12 = getelementptr inbounds i8, ptr %10, i64 %11, !dbg !94
  ret ptr %12, !dbg !94
}

; Function Attrs: noinline nounwind
define hidden ptr @__memrchr(ptr noundef %0, i32 noundef %1, i64 noundef %2) #0 !dbg !95 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i64, align 8
  %8 = alloca ptr, align 8
  store ptr %0, ptr %5, align 8
  store i32 %1, ptr %6, align 4
  store i64 %2, ptr %7, align 8
  %9 = load ptr, ptr %5, align 8, !dbg !97
  store ptr %9, ptr %8, align 8, !dbg !97
  %10 = load i32, ptr %6, align 4, !dbg !98
  %11 = trunc i32 %10 to i8, !dbg !98
  %12 = zext i8 %11 to i32, !dbg !98
  store i32 %12, ptr %6, align 4, !dbg !98
  br label %13, !dbg !99

13:                                               ; preds = %29, %3
  %14 = load i64, ptr %7, align 8, !dbg !99
  %15 = add i64 %14, -1, !dbg !99
  store i64 %15, ptr %7, align 8, !dbg !99
  %16 = icmp ne i64 %14, 0, !dbg !99
  br i1 %16, label %17, label %30, !dbg !99

17:                                               ; preds = %13
  %18 = load ptr, ptr %8, align 8, !dbg !99
  %19 = load i64, ptr %7, align 8, !dbg !99
  %20 = getelementptr inbounds i8, ptr %18, i64 %19, !dbg !99
  %21 = load i8, ptr %20, align 1, !dbg !99
  %22 = zext i8 %21 to i32, !dbg !99
  %23 = load i32, ptr %6, align 4, !dbg !99
  %24 = icmp eq i32 %22, %23, !dbg !99
  br i1 %24, label %25, label %29, !dbg !99

25:                                               ; preds = %17
  %26 = load ptr, ptr %8, align 8, !dbg !99
  %27 = load i64, ptr %7, align 8, !dbg !99
  %28 = getelementptr inbounds i8, ptr %26, i64 %27, !dbg !99
  store ptr %28, ptr %4, align 8, !dbg !99
  br label %31, !dbg !99

29:                                               ; preds = %17
  br label %13, !dbg !99, !llvm.loop !100

30:                                               ; preds = %13
  store ptr null, ptr %4, align 8, !dbg !101
  br label %31, !dbg !101

31:                                               ; preds = %30, %25
  %32 = load ptr, ptr %4, align 8, !dbg !102
  ret ptr %32, !dbg !102
}

; Function Attrs: noinline nounwind
define dso_local void @swab(ptr noalias noundef %0, ptr noalias noundef %1, i64 noundef %2) #0 !dbg !103 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i64, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i64 %2, ptr %6, align 8
  %9 = load ptr, ptr %4, align 8, !dbg !105
  store ptr %9, ptr %7, align 8, !dbg !105
  %10 = load ptr, ptr %5, align 8, !dbg !106
  store ptr %10, ptr %8, align 8, !dbg !106
  br label %11, !dbg !107

11:                                               ; preds = %29, %3
  %12 = load i64, ptr %6, align 8, !dbg !107
  %13 = icmp sgt i64 %12, 1, !dbg !107
  br i1 %13, label %14, label %32, !dbg !107

14:                                               ; preds = %11
  %15 = load ptr, ptr %7, align 8, !dbg !108
  %16 = getelementptr inbounds i8, ptr %15, i64 1, !dbg !108
  %17 = load i8, ptr %16, align 1, !dbg !108
  %18 = load ptr, ptr %8, align 8, !dbg !108
  %19 = getelementptr inbounds i8, ptr %18, i64 0, !dbg !108
  store i8 %17, ptr %19, align 1, !dbg !108
  %20 = load ptr, ptr %7, align 8, !dbg !109
  %21 = getelementptr inbounds i8, ptr %20, i64 0, !dbg !109
  %22 = load i8, ptr %21, align 1, !dbg !109
  %23 = load ptr, ptr %8, align 8, !dbg !109
  %24 = getelementptr inbounds i8, ptr %23, i64 1, !dbg !109
  store i8 %22, ptr %24, align 1, !dbg !109
  %25 = load ptr, ptr %8, align 8, !dbg !110
  %26 = getelementptr inbounds i8, ptr %25, i64 2, !dbg !110
  store ptr %26, ptr %8, align 8, !dbg !110
  %27 = load ptr, ptr %7, align 8, !dbg !111
  %28 = getelementptr inbounds i8, ptr %27, i64 2, !dbg !111
  store ptr %28, ptr %7, align 8, !dbg !111
  br label %29, !dbg !112

29:                                               ; preds = %14
  %30 = load i64, ptr %6, align 8, !dbg !107
  %31 = sub nsw i64 %30, 2, !dbg !107
  store i64 %31, ptr %6, align 8, !dbg !107
  br label %11, !dbg !107, !llvm.loop !113

32:                                               ; preds = %11
  ret void, !dbg !114
}

; Function Attrs: noinline nounwind
define dso_local ptr @memmem(ptr noundef %0, i64 noundef %1, ptr noundef %2, i64 noundef %3) #0 !dbg !115 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i64, align 8
  %8 = alloca ptr, align 8
  %9 = alloca i64, align 8
  %10 = alloca ptr, align 8
  %11 = alloca ptr, align 8
  store ptr %0, ptr %6, align 8
  store i64 %1, ptr %7, align 8
  store ptr %2, ptr %8, align 8
  store i64 %3, ptr %9, align 8
  %12 = load ptr, ptr %6, align 8, !dbg !117
  store ptr %12, ptr %10, align 8, !dbg !117
  %13 = load ptr, ptr %8, align 8, !dbg !117
  store ptr %13, ptr %11, align 8, !dbg !117
  %14 = load i64, ptr %9, align 8, !dbg !118
  %15 = icmp ne i64 %14, 0, !dbg !118
  br i1 %15, label %18, label %16, !dbg !118

16:                                               ; preds = %4
  %17 = load ptr, ptr %10, align 8, !dbg !118
  store ptr %17, ptr %5, align 8, !dbg !118
  br label %81, !dbg !118

18:                                               ; preds = %4
  %19 = load i64, ptr %7, align 8, !dbg !119
  %20 = load i64, ptr %9, align 8, !dbg !119
  %21 = icmp ult i64 %19, %20, !dbg !119
  br i1 %21, label %22, label %23, !dbg !119

22:                                               ; preds = %18
  store ptr null, ptr %5, align 8, !dbg !119
  br label %81, !dbg !119

23:                                               ; preds = %18
  %24 = load ptr, ptr %6, align 8, !dbg !120
  %25 = load ptr, ptr %11, align 8, !dbg !120
  %26 = load i8, ptr %25, align 1, !dbg !120
  %27 = zext i8 %26 to i32, !dbg !120
  %28 = load i64, ptr %7, align 8, !dbg !120
  %29 = call ptr @memchr(ptr noundef %24, i32 noundef %27, i64 noundef %28) #2, !dbg !120
  store ptr %29, ptr %10, align 8, !dbg !120
  %30 = load ptr, ptr %10, align 8, !dbg !121
  %31 = icmp ne ptr %30, null, !dbg !121
  br i1 %31, label %32, label %35, !dbg !121

32:                                               ; preds = %23
  %33 = load i64, ptr %9, align 8, !dbg !121
  %34 = icmp eq i64 %33, 1, !dbg !121
  br i1 %34, label %35, label %37, !dbg !121

35:                                               ; preds = %32, %23
  %36 = load ptr, ptr %10, align 8, !dbg !121
  store ptr %36, ptr %5, align 8, !dbg !121
  br label %81, !dbg !121

37:                                               ; preds = %32
  %38 = load ptr, ptr %10, align 8, !dbg !122
  %39 = load ptr, ptr %6, align 8, !dbg !122
  %40 = ptrtoint ptr %38 to i64, !dbg !122
  %41 = ptrtoint ptr %39 to i64, !dbg !122
  %42 = sub i64 %40, %41, !dbg !122
  %43 = load i64, ptr %7, align 8, !dbg !122
  %44 = sub i64 %43, %42, !dbg !122
  store i64 %44, ptr %7, align 8, !dbg !122
  %45 = load i64, ptr %7, align 8, !dbg !123
  %46 = load i64, ptr %9, align 8, !dbg !123
  %47 = icmp ult i64 %45, %46, !dbg !123
  br i1 %47, label %48, label %49, !dbg !123

48:                                               ; preds = %37
  store ptr null, ptr %5, align 8, !dbg !123
  br label %81, !dbg !123

49:                                               ; preds = %37
  %50 = load i64, ptr %9, align 8, !dbg !124
  %51 = icmp eq i64 %50, 2, !dbg !124
  br i1 %51, label %52, label %57, !dbg !124

52:                                               ; preds = %49
  %53 = load ptr, ptr %10, align 8, !dbg !124
  %54 = load i64, ptr %7, align 8, !dbg !124
  %55 = load ptr, ptr %11, align 8, !dbg !124
  %56 = call ptr @twobyte_memmem(ptr noundef %53, i64 noundef %54, ptr noundef %55) #2, !dbg !124
  store ptr %56, ptr %5, align 8, !dbg !124
  br label %81, !dbg !124

57:                                               ; preds = %49
  %58 = load i64, ptr %9, align 8, !dbg !125
  %59 = icmp eq i64 %58, 3, !dbg !125
  br i1 %59, label %60, label %65, !dbg !125

60:                                               ; preds = %57
  %61 = load ptr, ptr %10, align 8, !dbg !125
  %62 = load i64, ptr %7, align 8, !dbg !125
  %63 = load ptr, ptr %11, align 8, !dbg !125
  %64 = call ptr @threebyte_memmem(ptr noundef %61, i64 noundef %62, ptr noundef %63) #2, !dbg !125
  store ptr %64, ptr %5, align 8, !dbg !125
  br label %81, !dbg !125

65:                                               ; preds = %57
  %66 = load i64, ptr %9, align 8, !dbg !126
  %67 = icmp eq i64 %66, 4, !dbg !126
  br i1 %67, label %68, label %73, !dbg !126

68:                                               ; preds = %65
  %69 = load ptr, ptr %10, align 8, !dbg !126
  %70 = load i64, ptr %7, align 8, !dbg !126
  %71 = load ptr, ptr %11, align 8, !dbg !126
  %72 = call ptr @fourbyte_memmem(ptr noundef %69, i64 noundef %70, ptr noundef %71) #2, !dbg !126
  store ptr %72, ptr %5, align 8, !dbg !126
  br label %81, !dbg !126

73:                                               ; preds = %65
  %74 = load ptr, ptr %10, align 8, !dbg !127
  %75 = load ptr, ptr %10, align 8, !dbg !127
  %76 = load i64, ptr %7, align 8, !dbg !127
  %77 = getelementptr inbounds i8, ptr %75, i64 %76, !dbg !127
  %78 = load ptr, ptr %11, align 8, !dbg !127
  %79 = load i64, ptr %9, align 8, !dbg !127
  %80 = call ptr @twoway_memmem(ptr noundef %74, ptr noundef %77, ptr noundef %78, i64 noundef %79) #2, !dbg !127
  store ptr %80, ptr %5, align 8, !dbg !127
  br label %81, !dbg !127

81:                                               ; preds = %73, %68, %60, %52, %48, %35, %22, %16
  %82 = load ptr, ptr %5, align 8, !dbg !128
  ret ptr %82, !dbg !128
}

; Function Attrs: noinline nounwind
define internal ptr @twobyte_memmem(ptr noundef %0, i64 noundef %1, ptr noundef %2) #0 !dbg !129 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i64, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i16, align 2
  %9 = alloca i16, align 2
  store ptr %0, ptr %5, align 8
  store i64 %1, ptr %6, align 8
  store ptr %2, ptr %7, align 8
  %10 = load ptr, ptr %7, align 8, !dbg !130
  %11 = getelementptr inbounds i8, ptr %10, i64 0, !dbg !130
  %12 = load i8, ptr %11, align 1, !dbg !130
  %13 = zext i8 %12 to i32, !dbg !130
  %14 = shl i32 %13, 8, !dbg !130
  %15 = load ptr, ptr %7, align 8, !dbg !130
  %16 = getelementptr inbounds i8, ptr %15, i64 1, !dbg !130
  %17 = load i8, ptr %16, align 1, !dbg !130
  %18 = zext i8 %17 to i32, !dbg !130
  %19 = or i32 %14, %18, !dbg !130
  %20 = trunc i32 %19 to i16, !dbg !130
  store i16 %20, ptr %8, align 2, !dbg !130
  %21 = load ptr, ptr %5, align 8, !dbg !130
  %22 = getelementptr inbounds i8, ptr %21, i64 0, !dbg !130
  %23 = load i8, ptr %22, align 1, !dbg !130
  %24 = zext i8 %23 to i32, !dbg !130
  %25 = shl i32 %24, 8, !dbg !130
  %26 = load ptr, ptr %5, align 8, !dbg !130
  %27 = getelementptr inbounds i8, ptr %26, i64 1, !dbg !130
  %28 = load i8, ptr %27, align 1, !dbg !130
  %29 = zext i8 %28 to i32, !dbg !130
  %30 = or i32 %25, %29, !dbg !130
  %31 = trunc i32 %30 to i16, !dbg !130
  store i16 %31, ptr %9, align 2, !dbg !130
  %32 = load ptr, ptr %5, align 8, !dbg !131
  %33 = getelementptr inbounds i8, ptr %32, i64 2, !dbg !131
  store ptr %33, ptr %5, align 8, !dbg !131
  %34 = load i64, ptr %6, align 8, !dbg !131
  %35 = sub i64 %34, 2, !dbg !131
  store i64 %35, ptr %6, align 8, !dbg !131
  br label %36, !dbg !131

36:                                               ; preds = %49, %3
  %37 = load i64, ptr %6, align 8, !dbg !131
  %38 = icmp ne i64 %37, 0, !dbg !131
  br i1 %38, label %39, label %61, !dbg !131

39:                                               ; preds = %36
  %40 = load i16, ptr %9, align 2, !dbg !132
  %41 = zext i16 %40 to i32, !dbg !132
  %42 = load i16, ptr %8, align 2, !dbg !132
  %43 = zext i16 %42 to i32, !dbg !132
  %44 = icmp eq i32 %41, %43, !dbg !132
  br i1 %44, label %45, label %48, !dbg !132

45:                                               ; preds = %39
  %46 = load ptr, ptr %5, align 8, !dbg !132
  %47 = getelementptr inbounds i8, ptr %46, i64 -2, !dbg !132
  store ptr %47, ptr %4, align 8, !dbg !132
  br label %73, !dbg !132

48:                                               ; preds = %39
  br label %49, !dbg !132

49:                                               ; preds = %48
  %50 = load i64, ptr %6, align 8, !dbg !131
  %51 = add i64 %50, -1, !dbg !131
  store i64 %51, ptr %6, align 8, !dbg !131
  %52 = load i16, ptr %9, align 2, !dbg !131
  %53 = zext i16 %52 to i32, !dbg !131
  %54 = shl i32 %53, 8, !dbg !131
  %55 = load ptr, ptr %5, align 8, !dbg !131
  %56 = getelementptr inbounds i8, ptr %55, i32 1, !dbg !131
  store ptr %56, ptr %5, align 8, !dbg !131
  %57 = load i8, ptr %55, align 1, !dbg !131
  %58 = zext i8 %57 to i32, !dbg !131
  %59 = or i32 %54, %58, !dbg !131
  %60 = trunc i32 %59 to i16, !dbg !131
  store i16 %60, ptr %9, align 2, !dbg !131
  br label %36, !dbg !131, !llvm.loop !133

61:                                               ; preds = %36
  %62 = load i16, ptr %9, align 2, !dbg !134
  %63 = zext i16 %62 to i32, !dbg !134
  %64 = load i16, ptr %8, align 2, !dbg !134
  %65 = zext i16 %64 to i32, !dbg !134
  %66 = icmp eq i32 %63, %65, !dbg !134
  br i1 %66, label %67, label %70, !dbg !134

67:                                               ; preds = %61
  %68 = load ptr, ptr %5, align 8, !dbg !134
  %69 = getelementptr inbounds i8, ptr %68, i64 -2, !dbg !134
  br label %71, !dbg !134

70:                                               ; preds = %61
  br label %71, !dbg !134

71:                                               ; preds = %70, %67
  %72 = phi ptr [ %69, %67 ], [ null, %70 ], !dbg !134
  store ptr %72, ptr %4, align 8, !dbg !134
  br label %73, !dbg !134

73:                                               ; preds = %71, %45
  %74 = load ptr, ptr %4, align 8, !dbg !135
  ret ptr %74, !dbg !135
}

; Function Attrs: noinline nounwind
define internal ptr @threebyte_memmem(ptr noundef %0, i64 noundef %1, ptr noundef %2) #0 !dbg !136 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i64, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store ptr %0, ptr %5, align 8
  store i64 %1, ptr %6, align 8
  store ptr %2, ptr %7, align 8
  %10 = load ptr, ptr %7, align 8, !dbg !137
  %11 = getelementptr inbounds i8, ptr %10, i64 0, !dbg !137
  %12 = load i8, ptr %11, align 1, !dbg !137
  %13 = zext i8 %12 to i32, !dbg !137
  %14 = shl i32 %13, 24, !dbg !137
  %15 = load ptr, ptr %7, align 8, !dbg !137
  %16 = getelementptr inbounds i8, ptr %15, i64 1, !dbg !137
  %17 = load i8, ptr %16, align 1, !dbg !137
  %18 = zext i8 %17 to i32, !dbg !137
  %19 = shl i32 %18, 16, !dbg !137
  %20 = or i32 %14, %19, !dbg !137
  %21 = load ptr, ptr %7, align 8, !dbg !137
  %22 = getelementptr inbounds i8, ptr %21, i64 2, !dbg !137
  %23 = load i8, ptr %22, align 1, !dbg !137
  %24 = zext i8 %23 to i32, !dbg !137
  %25 = shl i32 %24, 8, !dbg !137
  %26 = or i32 %20, %25, !dbg !137
  store i32 %26, ptr %8, align 4, !dbg !137
  %27 = load ptr, ptr %5, align 8, !dbg !138
  %28 = getelementptr inbounds i8, ptr %27, i64 0, !dbg !138
  %29 = load i8, ptr %28, align 1, !dbg !138
  %30 = zext i8 %29 to i32, !dbg !138
  %31 = shl i32 %30, 24, !dbg !138
  %32 = load ptr, ptr %5, align 8, !dbg !138
  %33 = getelementptr inbounds i8, ptr %32, i64 1, !dbg !138
  %34 = load i8, ptr %33, align 1, !dbg !138
  %35 = zext i8 %34 to i32, !dbg !138
  %36 = shl i32 %35, 16, !dbg !138
  %37 = or i32 %31, %36, !dbg !138
  %38 = load ptr, ptr %5, align 8, !dbg !138
  %39 = getelementptr inbounds i8, ptr %38, i64 2, !dbg !138
  %40 = load i8, ptr %39, align 1, !dbg !138
  %41 = zext i8 %40 to i32, !dbg !138
  %42 = shl i32 %41, 8, !dbg !138
  %43 = or i32 %37, %42, !dbg !138
  store i32 %43, ptr %9, align 4, !dbg !138
  %44 = load ptr, ptr %5, align 8, !dbg !139
  %45 = getelementptr inbounds i8, ptr %44, i64 3, !dbg !139
  store ptr %45, ptr %5, align 8, !dbg !139
  %46 = load i64, ptr %6, align 8, !dbg !139
  %47 = sub i64 %46, 3, !dbg !139
  store i64 %47, ptr %6, align 8, !dbg !139
  br label %48, !dbg !139

48:                                               ; preds = %59, %3
  %49 = load i64, ptr %6, align 8, !dbg !139
  %50 = icmp ne i64 %49, 0, !dbg !139
  br i1 %50, label %51, label %69, !dbg !139

51:                                               ; preds = %48
  %52 = load i32, ptr %9, align 4, !dbg !140
  %53 = load i32, ptr %8, align 4, !dbg !140
  %54 = icmp eq i32 %52, %53, !dbg !140
  br i1 %54, label %55, label %58, !dbg !140

55:                                               ; preds = %51
  %56 = load ptr, ptr %5, align 8, !dbg !140
  %57 = getelementptr inbounds i8, ptr %56, i64 -3, !dbg !140
  store ptr %57, ptr %4, align 8, !dbg !140
  br label %79, !dbg !140

58:                                               ; preds = %51
  br label %59, !dbg !140

59:                                               ; preds = %58
  %60 = load i64, ptr %6, align 8, !dbg !139
  %61 = add i64 %60, -1, !dbg !139
  store i64 %61, ptr %6, align 8, !dbg !139
  %62 = load i32, ptr %9, align 4, !dbg !139
  %63 = load ptr, ptr %5, align 8, !dbg !139
  %64 = getelementptr inbounds i8, ptr %63, i32 1, !dbg !139
  store ptr %64, ptr %5, align 8, !dbg !139
  %65 = load i8, ptr %63, align 1, !dbg !139
  %66 = zext i8 %65 to i32, !dbg !139
  %67 = or i32 %62, %66, !dbg !139
  %68 = shl i32 %67, 8, !dbg !139
  store i32 %68, ptr %9, align 4, !dbg !139
  br label %48, !dbg !139, !llvm.loop !141

69:                                               ; preds = %48
  %70 = load i32, ptr %9, align 4, !dbg !142
  %71 = load i32, ptr %8, align 4, !dbg !142
  %72 = icmp eq i32 %70, %71, !dbg !142
  br i1 %72, label %73, label %76, !dbg !142

73:                                               ; preds = %69
  %74 = load ptr, ptr %5, align 8, !dbg !142
  %75 = getelementptr inbounds i8, ptr %74, i64 -3, !dbg !142
  br label %77, !dbg !142

76:                                               ; preds = %69
  br label %77, !dbg !142

77:                                               ; preds = %76, %73
  %78 = phi ptr [ %75, %73 ], [ null, %76 ], !dbg !142
  store ptr %78, ptr %4, align 8, !dbg !142
  br label %79, !dbg !142

79:                                               ; preds = %77, %55
  %80 = load ptr, ptr %4, align 8, !dbg !143
  ret ptr %80, !dbg !143
}

; Function Attrs: noinline nounwind
define internal ptr @fourbyte_memmem(ptr noundef %0, i64 noundef %1, ptr noundef %2) #0 !dbg !144 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i64, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store ptr %0, ptr %5, align 8
  store i64 %1, ptr %6, align 8
  store ptr %2, ptr %7, align 8
  %10 = load ptr, ptr %7, align 8, !dbg !145
  %11 = getelementptr inbounds i8, ptr %10, i64 0, !dbg !145
  %12 = load i8, ptr %11, align 1, !dbg !145
  %13 = zext i8 %12 to i32, !dbg !145
  %14 = shl i32 %13, 24, !dbg !145
  %15 = load ptr, ptr %7, align 8, !dbg !145
  %16 = getelementptr inbounds i8, ptr %15, i64 1, !dbg !145
  %17 = load i8, ptr %16, align 1, !dbg !145
  %18 = zext i8 %17 to i32, !dbg !145
  %19 = shl i32 %18, 16, !dbg !145
  %20 = or i32 %14, %19, !dbg !145
  %21 = load ptr, ptr %7, align 8, !dbg !145
  %22 = getelementptr inbounds i8, ptr %21, i64 2, !dbg !145
  %23 = load i8, ptr %22, align 1, !dbg !145
  %24 = zext i8 %23 to i32, !dbg !145
  %25 = shl i32 %24, 8, !dbg !145
  %26 = or i32 %20, %25, !dbg !145
  %27 = load ptr, ptr %7, align 8, !dbg !145
  %28 = getelementptr inbounds i8, ptr %27, i64 3, !dbg !145
  %29 = load i8, ptr %28, align 1, !dbg !145
  %30 = zext i8 %29 to i32, !dbg !145
  %31 = or i32 %26, %30, !dbg !145
  store i32 %31, ptr %8, align 4, !dbg !145
  %32 = load ptr, ptr %5, align 8, !dbg !146
  %33 = getelementptr inbounds i8, ptr %32, i64 0, !dbg !146
  %34 = load i8, ptr %33, align 1, !dbg !146
  %35 = zext i8 %34 to i32, !dbg !146
  %36 = shl i32 %35, 24, !dbg !146
  %37 = load ptr, ptr %5, align 8, !dbg !146
  %38 = getelementptr inbounds i8, ptr %37, i64 1, !dbg !146
  %39 = load i8, ptr %38, align 1, !dbg !146
  %40 = zext i8 %39 to i32, !dbg !146
  %41 = shl i32 %40, 16, !dbg !146
  %42 = or i32 %36, %41, !dbg !146
  %43 = load ptr, ptr %5, align 8, !dbg !146
  %44 = getelementptr inbounds i8, ptr %43, i64 2, !dbg !146
  %45 = load i8, ptr %44, align 1, !dbg !146
  %46 = zext i8 %45 to i32, !dbg !146
  %47 = shl i32 %46, 8, !dbg !146
  %48 = or i32 %42, %47, !dbg !146
  %49 = load ptr, ptr %5, align 8, !dbg !146
  %50 = getelementptr inbounds i8, ptr %49, i64 3, !dbg !146
  %51 = load i8, ptr %50, align 1, !dbg !146
  %52 = zext i8 %51 to i32, !dbg !146
  %53 = or i32 %48, %52, !dbg !146
  store i32 %53, ptr %9, align 4, !dbg !146
  %54 = load ptr, ptr %5, align 8, !dbg !147
  %55 = getelementptr inbounds i8, ptr %54, i64 4, !dbg !147
  store ptr %55, ptr %5, align 8, !dbg !147
  %56 = load i64, ptr %6, align 8, !dbg !147
  %57 = sub i64 %56, 4, !dbg !147
  store i64 %57, ptr %6, align 8, !dbg !147
  br label %58, !dbg !147

58:                                               ; preds = %69, %3
  %59 = load i64, ptr %6, align 8, !dbg !147
  %60 = icmp ne i64 %59, 0, !dbg !147
  br i1 %60, label %61, label %79, !dbg !147

61:                                               ; preds = %58
  %62 = load i32, ptr %9, align 4, !dbg !148
  %63 = load i32, ptr %8, align 4, !dbg !148
  %64 = icmp eq i32 %62, %63, !dbg !148
  br i1 %64, label %65, label %68, !dbg !148

65:                                               ; preds = %61
  %66 = load ptr, ptr %5, align 8, !dbg !148
  %67 = getelementptr inbounds i8, ptr %66, i64 -4, !dbg !148
  store ptr %67, ptr %4, align 8, !dbg !148
  br label %89, !dbg !148

68:                                               ; preds = %61
  br label %69, !dbg !148

69:                                               ; preds = %68
  %70 = load i64, ptr %6, align 8, !dbg !147
  %71 = add i64 %70, -1, !dbg !147
  store i64 %71, ptr %6, align 8, !dbg !147
  %72 = load i32, ptr %9, align 4, !dbg !147
  %73 = shl i32 %72, 8, !dbg !147
  %74 = load ptr, ptr %5, align 8, !dbg !147
  %75 = getelementptr inbounds i8, ptr %74, i32 1, !dbg !147
  store ptr %75, ptr %5, align 8, !dbg !147
  %76 = load i8, ptr %74, align 1, !dbg !147
  %77 = zext i8 %76 to i32, !dbg !147
  %78 = or i32 %73, %77, !dbg !147
  store i32 %78, ptr %9, align 4, !dbg !147
  br label %58, !dbg !147, !llvm.loop !149

79:                                               ; preds = %58
  %80 = load i32, ptr %9, align 4, !dbg !150
  %81 = load i32, ptr %8, align 4, !dbg !150
  %82 = icmp eq i32 %80, %81, !dbg !150
  br i1 %82, label %83, label %86, !dbg !150

83:                                               ; preds = %79
  %84 = load ptr, ptr %5, align 8, !dbg !150
  %85 = getelementptr inbounds i8, ptr %84, i64 -4, !dbg !150
  br label %87, !dbg !150

86:                                               ; preds = %79
  br label %87, !dbg !150

87:                                               ; preds = %86, %83
  %88 = phi ptr [ %85, %83 ], [ null, %86 ], !dbg !150
  store ptr %88, ptr %4, align 8, !dbg !150
  br label %89, !dbg !150

89:                                               ; preds = %87, %65
  %90 = load ptr, ptr %4, align 8, !dbg !151
  ret ptr %90, !dbg !151
}

; Function Attrs: noinline nounwind
define internal ptr @twoway_memmem(ptr noundef %0, ptr noundef %1, ptr noundef %2, i64 noundef %3) #0 !dbg !152 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca i64, align 8
  %10 = alloca i64, align 8
  %11 = alloca i64, align 8
  %12 = alloca i64, align 8
  %13 = alloca i64, align 8
  %14 = alloca i64, align 8
  %15 = alloca i64, align 8
  %16 = alloca i64, align 8
  %17 = alloca i64, align 8
  %18 = alloca i64, align 8
  %19 = alloca [4 x i64], align 16
  %20 = alloca [256 x i64], align 16
  store ptr %0, ptr %6, align 8
  store ptr %1, ptr %7, align 8
  store ptr %2, ptr %8, align 8
  store i64 %3, ptr %9, align 8
  call void @llvm.memset.p0.i64(ptr align 16 %19, i8 0, i64 32, i1 false), !dbg !153
  store i64 0, ptr %10, align 8, !dbg !154
  br label %21, !dbg !154

21:                                               ; preds = %50, %4
  %22 = load i64, ptr %10, align 8, !dbg !154
  %23 = load i64, ptr %9, align 8, !dbg !154
  %24 = icmp ult i64 %22, %23, !dbg !154
  br i1 %24, label %25, label %53, !dbg !154

25:                                               ; preds = %21
  %26 = load ptr, ptr %8, align 8, !dbg !155
  %27 = load i64, ptr %10, align 8, !dbg !155
  %28 = getelementptr inbounds i8, ptr %26, i64 %27, !dbg !155
  %29 = load i8, ptr %28, align 1, !dbg !155
  %30 = zext i8 %29 to i64, !dbg !155
  %31 = urem i64 %30, 64, !dbg !155
  %32 = shl i64 1, %31, !dbg !155
  %33 = load ptr, ptr %8, align 8, !dbg !155
  %34 = load i64, ptr %10, align 8, !dbg !155
  %35 = getelementptr inbounds i8, ptr %33, i64 %34, !dbg !155
  %36 = load i8, ptr %35, align 1, !dbg !155
  %37 = zext i8 %36 to i64, !dbg !155
  %38 = udiv i64 %37, 64, !dbg !155
  %39 = getelementptr inbounds [4 x i64], ptr %19, i64 0, i64 %38, !dbg !155
  %40 = load i64, ptr %39, align 8, !dbg !155
  %41 = or i64 %40, %32, !dbg !155
  store i64 %41, ptr %39, align 8, !dbg !155
  %42 = load i64, ptr %10, align 8, !dbg !155
  %43 = add i64 %42, 1, !dbg !155
  %44 = load ptr, ptr %8, align 8, !dbg !155
  %45 = load i64, ptr %10, align 8, !dbg !155
  %46 = getelementptr inbounds i8, ptr %44, i64 %45, !dbg !155
  %47 = load i8, ptr %46, align 1, !dbg !155
  %48 = zext i8 %47 to i64, !dbg !155
  %49 = getelementptr inbounds [256 x i64], ptr %20, i64 0, i64 %48, !dbg !155
  store i64 %43, ptr %49, align 8, !dbg !155
  br label %50, !dbg !155

50:                                               ; preds = %25
  %51 = load i64, ptr %10, align 8, !dbg !154
  %52 = add i64 %51, 1, !dbg !154
  store i64 %52, ptr %10, align 8, !dbg !154
  br label %21, !dbg !154, !llvm.loop !156

53:                                               ; preds = %21
  store i64 -1, ptr %11, align 8, !dbg !157
  store i64 0, ptr %12, align 8, !dbg !157
  store i64 1, ptr %14, align 8, !dbg !157
  store i64 1, ptr %13, align 8, !dbg !157
  br label %54, !dbg !158

54:                                               ; preds = %115, %53
  %55 = load i64, ptr %12, align 8, !dbg !158
  %56 = load i64, ptr %13, align 8, !dbg !158
  %57 = add i64 %55, %56, !dbg !158
  %58 = load i64, ptr %9, align 8, !dbg !158
  %59 = icmp ult i64 %57, %58, !dbg !158
  br i1 %59, label %60, label %116, !dbg !158

60:                                               ; preds = %54
  %61 = load ptr, ptr %8, align 8, !dbg !159
  %62 = load i64, ptr %11, align 8, !dbg !159
  %63 = load i64, ptr %13, align 8, !dbg !159
  %64 = add i64 %62, %63, !dbg !159
  %65 = getelementptr inbounds i8, ptr %61, i64 %64, !dbg !159
  %66 = load i8, ptr %65, align 1, !dbg !159
  %67 = zext i8 %66 to i32, !dbg !159
  %68 = load ptr, ptr %8, align 8, !dbg !159
  %69 = load i64, ptr %12, align 8, !dbg !159
  %70 = load i64, ptr %13, align 8, !dbg !159
  %71 = add i64 %69, %70, !dbg !159
  %72 = getelementptr inbounds i8, ptr %68, i64 %71, !dbg !159
  %73 = load i8, ptr %72, align 1, !dbg !159
  %74 = zext i8 %73 to i32, !dbg !159
  %75 = icmp eq i32 %67, %74, !dbg !159
  br i1 %75, label %76, label %88, !dbg !159

76:                                               ; preds = %60
  %77 = load i64, ptr %13, align 8, !dbg !160
  %78 = load i64, ptr %14, align 8, !dbg !160
  %79 = icmp eq i64 %77, %78, !dbg !160
  br i1 %79, label %80, label %84, !dbg !160

80:                                               ; preds = %76
  %81 = load i64, ptr %14, align 8, !dbg !161
  %82 = load i64, ptr %12, align 8, !dbg !161
  %83 = add i64 %82, %81, !dbg !161
  store i64 %83, ptr %12, align 8, !dbg !161
  store i64 1, ptr %13, align 8, !dbg !162
  br label %87, !dbg !163

84:                                               ; preds = %76
  %85 = load i64, ptr %13, align 8, !dbg !163
  %86 = add i64 %85, 1, !dbg !163
  store i64 %86, ptr %13, align 8, !dbg !163
  br label %87

87:                                               ; preds = %84, %80
  br label %115, !dbg !164

88:                                               ; preds = %60
  %89 = load ptr, ptr %8, align 8, !dbg !164
  %90 = load i64, ptr %11, align 8, !dbg !164
  %91 = load i64, ptr %13, align 8, !dbg !164
  %92 = add i64 %90, %91, !dbg !164
  %93 = getelementptr inbounds i8, ptr %89, i64 %92, !dbg !164
  %94 = load i8, ptr %93, align 1, !dbg !164
  %95 = zext i8 %94 to i32, !dbg !164
  %96 = load ptr, ptr %8, align 8, !dbg !164
  %97 = load i64, ptr %12, align 8, !dbg !164
  %98 = load i64, ptr %13, align 8, !dbg !164
  %99 = add i64 %97, %98, !dbg !164
  %100 = getelementptr inbounds i8, ptr %96, i64 %99, !dbg !164
  %101 = load i8, ptr %100, align 1, !dbg !164
  %102 = zext i8 %101 to i32, !dbg !164
  %103 = icmp sgt i32 %95, %102, !dbg !164
  br i1 %103, label %104, label %111, !dbg !164

104:                                              ; preds = %88
  %105 = load i64, ptr %13, align 8, !dbg !165
  %106 = load i64, ptr %12, align 8, !dbg !165
  %107 = add i64 %106, %105, !dbg !165
  store i64 %107, ptr %12, align 8, !dbg !165
  store i64 1, ptr %13, align 8, !dbg !166
  %108 = load i64, ptr %12, align 8, !dbg !167
  %109 = load i64, ptr %11, align 8, !dbg !167
  %110 = sub i64 %108, %109, !dbg !167
  store i64 %110, ptr %14, align 8, !dbg !167
  br label %114, !dbg !168

111:                                              ; preds = %88
  %112 = load i64, ptr %12, align 8, !dbg !169
  %113 = add i64 %112, 1, !dbg !169
  store i64 %113, ptr %12, align 8, !dbg !169
  store i64 %112, ptr %11, align 8, !dbg !169
  store i64 1, ptr %14, align 8, !dbg !170
  store i64 1, ptr %13, align 8, !dbg !170
  br label %114

114:                                              ; preds = %111, %104
  br label %115

115:                                              ; preds = %114, %87
  br label %54, !dbg !158, !llvm.loop !171

116:                                              ; preds = %54
  %117 = load i64, ptr %11, align 8, !dbg !173
  store i64 %117, ptr %15, align 8, !dbg !173
  %118 = load i64, ptr %14, align 8, !dbg !174
  store i64 %118, ptr %16, align 8, !dbg !174
  store i64 -1, ptr %11, align 8, !dbg !175
  store i64 0, ptr %12, align 8, !dbg !175
  store i64 1, ptr %14, align 8, !dbg !175
  store i64 1, ptr %13, align 8, !dbg !175
  br label %119, !dbg !176

119:                                              ; preds = %180, %116
  %120 = load i64, ptr %12, align 8, !dbg !176
  %121 = load i64, ptr %13, align 8, !dbg !176
  %122 = add i64 %120, %121, !dbg !176
  %123 = load i64, ptr %9, align 8, !dbg !176
  %124 = icmp ult i64 %122, %123, !dbg !176
  br i1 %124, label %125, label %181, !dbg !176

125:                                              ; preds = %119
  %126 = load ptr, ptr %8, align 8, !dbg !177
  %127 = load i64, ptr %11, align 8, !dbg !177
  %128 = load i64, ptr %13, align 8, !dbg !177
  %129 = add i64 %127, %128, !dbg !177
  %130 = getelementptr inbounds i8, ptr %126, i64 %129, !dbg !177
  %131 = load i8, ptr %130, align 1, !dbg !177
  %132 = zext i8 %131 to i32, !dbg !177
  %133 = load ptr, ptr %8, align 8, !dbg !177
  %134 = load i64, ptr %12, align 8, !dbg !177
  %135 = load i64, ptr %13, align 8, !dbg !177
  %136 = add i64 %134, %135, !dbg !177
  %137 = getelementptr inbounds i8, ptr %133, i64 %136, !dbg !177
  %138 = load i8, ptr %137, align 1, !dbg !177
  %139 = zext i8 %138 to i32, !dbg !177
  %140 = icmp eq i32 %132, %139, !dbg !177
  br i1 %140, label %141, label %153, !dbg !177

141:                                              ; preds = %125
  %142 = load i64, ptr %13, align 8, !dbg !178
  %143 = load i64, ptr %14, align 8, !dbg !178
  %144 = icmp eq i64 %142, %143, !dbg !178
  br i1 %144, label %145, label %149, !dbg !178

145:                                              ; preds = %141
  %146 = load i64, ptr %14, align 8, !dbg !179
  %147 = load i64, ptr %12, align 8, !dbg !179
  %148 = add i64 %147, %146, !dbg !179
  store i64 %148, ptr %12, align 8, !dbg !179
  store i64 1, ptr %13, align 8, !dbg !180
  br label %152, !dbg !181

149:                                              ; preds = %141
  %150 = load i64, ptr %13, align 8, !dbg !181
  %151 = add i64 %150, 1, !dbg !181
  store i64 %151, ptr %13, align 8, !dbg !181
  br label %152

152:                                              ; preds = %149, %145
  br label %180, !dbg !182

153:                                              ; preds = %125
  %154 = load ptr, ptr %8, align 8, !dbg !182
  %155 = load i64, ptr %11, align 8, !dbg !182
  %156 = load i64, ptr %13, align 8, !dbg !182
  %157 = add i64 %155, %156, !dbg !182
  %158 = getelementptr inbounds i8, ptr %154, i64 %157, !dbg !182
  %159 = load i8, ptr %158, align 1, !dbg !182
  %160 = zext i8 %159 to i32, !dbg !182
  %161 = load ptr, ptr %8, align 8, !dbg !182
  %162 = load i64, ptr %12, align 8, !dbg !182
  %163 = load i64, ptr %13, align 8, !dbg !182
  %164 = add i64 %162, %163, !dbg !182
  %165 = getelementptr inbounds i8, ptr %161, i64 %164, !dbg !182
  %166 = load i8, ptr %165, align 1, !dbg !182
  %167 = zext i8 %166 to i32, !dbg !182
  %168 = icmp slt i32 %160, %167, !dbg !182
  br i1 %168, label %169, label %176, !dbg !182

169:                                              ; preds = %153
  %170 = load i64, ptr %13, align 8, !dbg !183
  %171 = load i64, ptr %12, align 8, !dbg !183
  %172 = add i64 %171, %170, !dbg !183
  store i64 %172, ptr %12, align 8, !dbg !183
  store i64 1, ptr %13, align 8, !dbg !184
  %173 = load i64, ptr %12, align 8, !dbg !185
  %174 = load i64, ptr %11, align 8, !dbg !185
  %175 = sub i64 %173, %174, !dbg !185
  store i64 %175, ptr %14, align 8, !dbg !185
  br label %179, !dbg !186

176:                                              ; preds = %153
  %177 = load i64, ptr %12, align 8, !dbg !187
  %178 = add i64 %177, 1, !dbg !187
  store i64 %178, ptr %12, align 8, !dbg !187
  store i64 %177, ptr %11, align 8, !dbg !187
  store i64 1, ptr %14, align 8, !dbg !188
  store i64 1, ptr %13, align 8, !dbg !188
  br label %179

179:                                              ; preds = %176, %169
  br label %180

180:                                              ; preds = %179, %152
  br label %119, !dbg !176, !llvm.loop !189

181:                                              ; preds = %119
  %182 = load i64, ptr %11, align 8, !dbg !191
  %183 = add i64 %182, 1, !dbg !191
  %184 = load i64, ptr %15, align 8, !dbg !191
  %185 = add i64 %184, 1, !dbg !191
  %186 = icmp ugt i64 %183, %185, !dbg !191
  br i1 %186, label %187, label %189, !dbg !191

187:                                              ; preds = %181
  %188 = load i64, ptr %11, align 8, !dbg !191
  store i64 %188, ptr %15, align 8, !dbg !191
  br label %191, !dbg !191

189:                                              ; preds = %181
  %190 = load i64, ptr %16, align 8, !dbg !192
  store i64 %190, ptr %14, align 8, !dbg !192
  br label %191

191:                                              ; preds = %189, %187
  %192 = load ptr, ptr %8, align 8, !dbg !193
  %193 = load ptr, ptr %8, align 8, !dbg !193
  %194 = load i64, ptr %14, align 8, !dbg !193
  %195 = getelementptr inbounds i8, ptr %193, i64 %194, !dbg !193
  %196 = load i64, ptr %15, align 8, !dbg !193
  %197 = add i64 %196, 1, !dbg !193
  %198 = call i32 @memcmp(ptr noundef %192, ptr noundef %195, i64 noundef %197) #2, !dbg !193
  %199 = icmp ne i32 %198, 0, !dbg !193
  br i1 %199, label %200, label %217, !dbg !193

200:                                              ; preds = %191
  store i64 0, ptr %18, align 8, !dbg !194
  %201 = load i64, ptr %15, align 8, !dbg !195
  %202 = load i64, ptr %9, align 8, !dbg !195
  %203 = load i64, ptr %15, align 8, !dbg !195
  %204 = sub i64 %202, %203, !dbg !195
  %205 = sub i64 %204, 1, !dbg !195
  %206 = icmp ugt i64 %201, %205, !dbg !195
  br i1 %206, label %207, label %209, !dbg !195

207:                                              ; preds = %200
  %208 = load i64, ptr %15, align 8, !dbg !195
  br label %214, !dbg !195

209:                                              ; preds = %200
  %210 = load i64, ptr %9, align 8, !dbg !195
  %211 = load i64, ptr %15, align 8, !dbg !195
  %212 = sub i64 %210, %211, !dbg !195
  %213 = sub i64 %212, 1, !dbg !195
  br label %214, !dbg !195

214:                                              ; preds = %209, %207
  %215 = phi i64 [ %208, %207 ], [ %213, %209 ], !dbg !195
  %216 = add i64 %215, 1, !dbg !195
  store i64 %216, ptr %14, align 8, !dbg !195
  br label %221, !dbg !196

217:                                              ; preds = %191
  %218 = load i64, ptr %9, align 8, !dbg !196
  %219 = load i64, ptr %14, align 8, !dbg !196
  %220 = sub i64 %218, %219, !dbg !196
  store i64 %220, ptr %18, align 8, !dbg !196
  br label %221

221:                                              ; preds = %217, %214
  store i64 0, ptr %17, align 8, !dbg !197
  br label %222, !dbg !198

222:                                              ; preds = %356, %317, %275, %270, %221
  %223 = load ptr, ptr %7, align 8, !dbg !199
  %224 = load ptr, ptr %6, align 8, !dbg !199
  %225 = ptrtoint ptr %223 to i64, !dbg !199
  %226 = ptrtoint ptr %224 to i64, !dbg !199
  %227 = sub i64 %225, %226, !dbg !199
  %228 = load i64, ptr %9, align 8, !dbg !199
  %229 = icmp ult i64 %227, %228, !dbg !199
  br i1 %229, label %230, label %231, !dbg !199

230:                                              ; preds = %222
  store ptr null, ptr %5, align 8, !dbg !199
  br label %361, !dbg !199

231:                                              ; preds = %222
  %232 = load ptr, ptr %6, align 8, !dbg !200
  %233 = load i64, ptr %9, align 8, !dbg !200
  %234 = sub i64 %233, 1, !dbg !200
  %235 = getelementptr inbounds i8, ptr %232, i64 %234, !dbg !200
  %236 = load i8, ptr %235, align 1, !dbg !200
  %237 = zext i8 %236 to i64, !dbg !200
  %238 = udiv i64 %237, 64, !dbg !200
  %239 = getelementptr inbounds [4 x i64], ptr %19, i64 0, i64 %238, !dbg !200
  %240 = load i64, ptr %239, align 8, !dbg !200
  %241 = load ptr, ptr %6, align 8, !dbg !200
  %242 = load i64, ptr %9, align 8, !dbg !200
  %243 = sub i64 %242, 1, !dbg !200
  %244 = getelementptr inbounds i8, ptr %241, i64 %243, !dbg !200
  %245 = load i8, ptr %244, align 1, !dbg !200
  %246 = zext i8 %245 to i64, !dbg !200
  %247 = urem i64 %246, 64, !dbg !200
  %248 = shl i64 1, %247, !dbg !200
  %249 = and i64 %240, %248, !dbg !200
  %250 = icmp ne i64 %249, 0, !dbg !200
  br i1 %250, label %251, label %275, !dbg !200

251:                                              ; preds = %231
  %252 = load i64, ptr %9, align 8, !dbg !201
  %253 = load ptr, ptr %6, align 8, !dbg !201
  %254 = load i64, ptr %9, align 8, !dbg !201
  %255 = sub i64 %254, 1, !dbg !201
  %256 = getelementptr inbounds i8, ptr %253, i64 %255, !dbg !201
  %257 = load i8, ptr %256, align 1, !dbg !201
  %258 = zext i8 %257 to i64, !dbg !201
  %259 = getelementptr inbounds [256 x i64], ptr %20, i64 0, i64 %258, !dbg !201
  %260 = load i64, ptr %259, align 8, !dbg !201
  %261 = sub i64 %252, %260, !dbg !201
  store i64 %261, ptr %13, align 8, !dbg !201
  %262 = load i64, ptr %13, align 8, !dbg !202
  %263 = icmp ne i64 %262, 0, !dbg !202
  br i1 %263, label %264, label %274, !dbg !202

264:                                              ; preds = %251
  %265 = load i64, ptr %13, align 8, !dbg !203
  %266 = load i64, ptr %17, align 8, !dbg !203
  %267 = icmp ult i64 %265, %266, !dbg !203
  br i1 %267, label %268, label %270, !dbg !203

268:                                              ; preds = %264
  %269 = load i64, ptr %17, align 8, !dbg !203
  store i64 %269, ptr %13, align 8, !dbg !203
  br label %270, !dbg !203

270:                                              ; preds = %268, %264
  %271 = load i64, ptr %13, align 8, !dbg !204
  %272 = load ptr, ptr %6, align 8, !dbg !204
  %273 = getelementptr inbounds i8, ptr %272, i64 %271, !dbg !204
  store ptr %273, ptr %6, align 8, !dbg !204
  store i64 0, ptr %17, align 8, !dbg !205
  br label %222, !dbg !206, !llvm.loop !207

274:                                              ; preds = %251
  br label %279, !dbg !209

275:                                              ; preds = %231
  %276 = load i64, ptr %9, align 8, !dbg !210
  %277 = load ptr, ptr %6, align 8, !dbg !210
  %278 = getelementptr inbounds i8, ptr %277, i64 %276, !dbg !210
  store ptr %278, ptr %6, align 8, !dbg !210
  store i64 0, ptr %17, align 8, !dbg !211
  br label %222, !dbg !212, !llvm.loop !207

279:                                              ; preds = %274
  %280 = load i64, ptr %15, align 8, !dbg !213
  %281 = add i64 %280, 1, !dbg !213
  %282 = load i64, ptr %17, align 8, !dbg !213
  %283 = icmp ugt i64 %281, %282, !dbg !213
  br i1 %283, label %284, label %287, !dbg !213

284:                                              ; preds = %279
  %285 = load i64, ptr %15, align 8, !dbg !213
  %286 = add i64 %285, 1, !dbg !213
  br label %289, !dbg !213

287:                                              ; preds = %279
  %288 = load i64, ptr %17, align 8, !dbg !213
  br label %289, !dbg !213

289:                                              ; preds = %287, %284
  %290 = phi i64 [ %286, %284 ], [ %288, %287 ], !dbg !213
  store i64 %290, ptr %13, align 8, !dbg !213
  br label %291, !dbg !213

291:                                              ; preds = %310, %289
  %292 = load i64, ptr %13, align 8, !dbg !213
  %293 = load i64, ptr %9, align 8, !dbg !213
  %294 = icmp ult i64 %292, %293, !dbg !213
  br i1 %294, label %295, label %307, !dbg !213

295:                                              ; preds = %291
  %296 = load ptr, ptr %8, align 8, !dbg !213
  %297 = load i64, ptr %13, align 8, !dbg !213
  %298 = getelementptr inbounds i8, ptr %296, i64 %297, !dbg !213
  %299 = load i8, ptr %298, align 1, !dbg !213
  %300 = zext i8 %299 to i32, !dbg !213
  %301 = load ptr, ptr %6, align 8, !dbg !213
  %302 = load i64, ptr %13, align 8, !dbg !213
  %303 = getelementptr inbounds i8, ptr %301, i64 %302, !dbg !213
  %304 = load i8, ptr %303, align 1, !dbg !213
  %305 = zext i8 %304 to i32, !dbg !213
  %306 = icmp eq i32 %300, %305, !dbg !213
  br label %307

307:                                              ; preds = %295, %291
  %308 = phi i1 [ false, %291 ], [ %306, %295 ], !dbg !214
  br i1 %308, label %309, label %313, !dbg !213

309:                                              ; preds = %307
  br label %310, !dbg !213

310:                                              ; preds = %309
  %311 = load i64, ptr %13, align 8, !dbg !213
  %312 = add i64 %311, 1, !dbg !213
  store i64 %312, ptr %13, align 8, !dbg !213
  br label %291, !dbg !213, !llvm.loop !215

313:                                              ; preds = %307
  %314 = load i64, ptr %13, align 8, !dbg !216
  %315 = load i64, ptr %9, align 8, !dbg !216
  %316 = icmp ult i64 %314, %315, !dbg !216
  br i1 %316, label %317, label %323, !dbg !216

317:                                              ; preds = %313
  %318 = load i64, ptr %13, align 8, !dbg !217
  %319 = load i64, ptr %15, align 8, !dbg !217
  %320 = sub i64 %318, %319, !dbg !217
  %321 = load ptr, ptr %6, align 8, !dbg !217
  %322 = getelementptr inbounds i8, ptr %321, i64 %320, !dbg !217
  store ptr %322, ptr %6, align 8, !dbg !217
  store i64 0, ptr %17, align 8, !dbg !218
  br label %222, !dbg !219, !llvm.loop !207

323:                                              ; preds = %313
  %324 = load i64, ptr %15, align 8, !dbg !220
  %325 = add i64 %324, 1, !dbg !220
  store i64 %325, ptr %13, align 8, !dbg !220
  br label %326, !dbg !220

326:                                              ; preds = %347, %323
  %327 = load i64, ptr %13, align 8, !dbg !220
  %328 = load i64, ptr %17, align 8, !dbg !220
  %329 = icmp ugt i64 %327, %328, !dbg !220
  br i1 %329, label %330, label %344, !dbg !220

330:                                              ; preds = %326
  %331 = load ptr, ptr %8, align 8, !dbg !220
  %332 = load i64, ptr %13, align 8, !dbg !220
  %333 = sub i64 %332, 1, !dbg !220
  %334 = getelementptr inbounds i8, ptr %331, i64 %333, !dbg !220
  %335 = load i8, ptr %334, align 1, !dbg !220
  %336 = zext i8 %335 to i32, !dbg !220
  %337 = load ptr, ptr %6, align 8, !dbg !220
  %338 = load i64, ptr %13, align 8, !dbg !220
  %339 = sub i64 %338, 1, !dbg !220
  %340 = getelementptr inbounds i8, ptr %337, i64 %339, !dbg !220
  %341 = load i8, ptr %340, align 1, !dbg !220
  %342 = zext i8 %341 to i32, !dbg !220
  %343 = icmp eq i32 %336, %342, !dbg !220
  br label %344

344:                                              ; preds = %330, %326
  %345 = phi i1 [ false, %326 ], [ %343, %330 ], !dbg !214
  br i1 %345, label %346, label %350, !dbg !220

346:                                              ; preds = %344
  br label %347, !dbg !220

347:                                              ; preds = %346
  %348 = load i64, ptr %13, align 8, !dbg !220
  %349 = add i64 %348, -1, !dbg !220
  store i64 %349, ptr %13, align 8, !dbg !220
  br label %326, !dbg !220, !llvm.loop !221

350:                                              ; preds = %344
  %351 = load i64, ptr %13, align 8, !dbg !222
  %352 = load i64, ptr %17, align 8, !dbg !222
  %353 = icmp ule i64 %351, %352, !dbg !222
  br i1 %353, label %354, label %356, !dbg !222

354:                                              ; preds = %350
  %355 = load ptr, ptr %6, align 8, !dbg !222
  store ptr %355, ptr %5, align 8, !dbg !222
  br label %361, !dbg !222

356:                                              ; preds = %350
  %357 = load i64, ptr %14, align 8, !dbg !223
  %358 = load ptr, ptr %6, align 8, !dbg !223
  %359 = getelementptr inbounds i8, ptr %358, i64 %357, !dbg !223
  store ptr %359, ptr %6, align 8, !dbg !223
  %360 = load i64, ptr %18, align 8, !dbg !224
  store i64 %360, ptr %17, align 8, !dbg !224
  br label %222, !dbg !198, !llvm.loop !207

361:                                              ; preds = %354, %230
  %362 = load ptr, ptr %5, align 8, !dbg !225
  ret ptr %362, !dbg !225
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #1

attributes #0 = { noinline nounwind "frame-pointer"="all" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #2 = { nobuiltin "no-builtins" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7}
!llvm.ident = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "-", directory: ".", checksumkind: CSK_MD5, checksum: "40c80df1718d859c27e054289b3143ab")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"PIE Level", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!9 = distinct !DISubprogram(name: "bcmp", scope: !10, file: !10, line: 5, type: !11, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!10 = !DIFile(filename: "./src/string/bcmp.c", directory: ".", checksumkind: CSK_MD5, checksum: "bd3d0620d201272bb6a234871872a40b")
!11 = !DISubroutineType(types: !12)
!12 = !{}
!13 = !DILocation(line: 7, scope: !9)
!14 = distinct !DISubprogram(name: "memcmp", scope: !15, file: !15, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!15 = !DIFile(filename: "./src/string/memcmp.c", directory: ".", checksumkind: CSK_MD5, checksum: "288430b27231e3194da0eb8ff1830792")
!16 = !DILocation(line: 5, scope: !14)
!17 = !DILocation(line: 6, scope: !14)
!18 = !DILocation(line: 0, scope: !14)
!19 = distinct !{!19, !17, !17}
!20 = !DILocation(line: 7, scope: !14)
!21 = distinct !DISubprogram(name: "bcopy", scope: !22, file: !22, line: 5, type: !11, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!22 = !DIFile(filename: "./src/string/bcopy.c", directory: ".", checksumkind: CSK_MD5, checksum: "b977d12c4308a4e3440caf1d99227f3c")
!23 = !DILocation(line: 7, scope: !21)
!24 = !DILocation(line: 8, scope: !21)
!25 = distinct !DISubprogram(name: "memmove", scope: !26, file: !26, line: 9, type: !11, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!26 = !DIFile(filename: "./src/string/memmove.c", directory: ".", checksumkind: CSK_MD5, checksum: "0869978c0f374572b7509dc9a5e2495d")
!27 = !DILocation(line: 11, scope: !25)
!28 = !DILocation(line: 12, scope: !25)
!29 = !DILocation(line: 14, scope: !25)
!30 = !DILocation(line: 15, scope: !25)
!31 = !DILocation(line: 17, scope: !25)
!32 = !DILocation(line: 27, scope: !25)
!33 = distinct !{!33, !32, !32}
!34 = !DILocation(line: 28, scope: !25)
!35 = !DILocation(line: 38, scope: !25)
!36 = distinct !{!36, !35, !35}
!37 = !DILocation(line: 41, scope: !25)
!38 = !DILocation(line: 42, scope: !25)
!39 = distinct !DISubprogram(name: "bzero", scope: !40, file: !40, line: 5, type: !11, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!40 = !DIFile(filename: "./src/string/bzero.c", directory: ".", checksumkind: CSK_MD5, checksum: "6943b8220bf5e4337be8dd011c778818")
!41 = !DILocation(line: 7, scope: !39)
!42 = !DILocation(line: 8, scope: !39)
!43 = distinct !DISubprogram(name: "memset", scope: !44, file: !44, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!44 = !DIFile(filename: "./src/string/memset.c", directory: ".", checksumkind: CSK_MD5, checksum: "4004b939243ae968324ad34320a3eae9")
!45 = !DILocation(line: 6, scope: !43)
!46 = !DILocation(line: 13, scope: !43)
!47 = !DILocation(line: 14, scope: !43)
!48 = !DILocation(line: 15, scope: !43)
!49 = !DILocation(line: 16, scope: !43)
!50 = !DILocation(line: 17, scope: !43)
!51 = !DILocation(line: 18, scope: !43)
!52 = !DILocation(line: 19, scope: !43)
!53 = !DILocation(line: 20, scope: !43)
!54 = !DILocation(line: 21, scope: !43)
!55 = !DILocation(line: 22, scope: !43)
!56 = !DILocation(line: 23, scope: !43)
!57 = !DILocation(line: 24, scope: !43)
!58 = !DILocation(line: 31, scope: !43)
!59 = !DILocation(line: 32, scope: !43)
!60 = !DILocation(line: 33, scope: !43)
!61 = !DILocation(line: 34, scope: !43)
!62 = !DILocation(line: 86, scope: !43)
!63 = distinct !{!63, !62, !62}
!64 = !DILocation(line: 89, scope: !43)
!65 = !DILocation(line: 90, scope: !43)
!66 = distinct !DISubprogram(name: "memccpy", scope: !67, file: !67, line: 10, type: !11, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!67 = !DIFile(filename: "./src/string/memccpy.c", directory: ".", checksumkind: CSK_MD5, checksum: "2f8259ad17638a577d0f3b869659d53c")
!68 = !DILocation(line: 12, scope: !66)
!69 = !DILocation(line: 13, scope: !66)
!70 = !DILocation(line: 15, scope: !66)
!71 = !DILocation(line: 30, scope: !66)
!72 = !DILocation(line: 0, scope: !66)
!73 = distinct !{!73, !71, !71}
!74 = !DILocation(line: 32, scope: !66)
!75 = !DILocation(line: 33, scope: !66)
!76 = !DILocation(line: 34, scope: !66)
!77 = distinct !DISubprogram(name: "memchr", scope: !78, file: !78, line: 11, type: !11, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!78 = !DIFile(filename: "./src/string/memchr.c", directory: ".", checksumkind: CSK_MD5, checksum: "10c53de660f0545c30a8712749ab9482")
!79 = !DILocation(line: 13, scope: !77)
!80 = !DILocation(line: 14, scope: !77)
!81 = !DILocation(line: 25, scope: !77)
!82 = !DILocation(line: 0, scope: !77)
!83 = distinct !{!83, !81, !81}
!84 = !DILocation(line: 26, scope: !77)
!85 = distinct !DISubprogram(name: "memcpy", scope: !86, file: !86, line: 5, type: !11, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!86 = !DIFile(filename: "./src/string/memcpy.c", directory: ".", checksumkind: CSK_MD5, checksum: "86483ca53219443876e81a16eff4dd3a")
!87 = !DILocation(line: 7, scope: !85)
!88 = !DILocation(line: 8, scope: !85)
!89 = !DILocation(line: 122, scope: !85)
!90 = distinct !{!90, !89, !89}
!91 = !DILocation(line: 123, scope: !85)
!92 = distinct !DISubprogram(name: "mempcpy", scope: !93, file: !93, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!93 = !DIFile(filename: "./src/string/mempcpy.c", directory: ".", checksumkind: CSK_MD5, checksum: "e521b34b7fd8091ce25df3dca68e1227")
!94 = !DILocation(line: 6, scope: !92)
!95 = distinct !DISubprogram(name: "__memrchr", scope: !96, file: !96, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!96 = !DIFile(filename: "./src/string/memrchr.c", directory: ".", checksumkind: CSK_MD5, checksum: "c74396517965a6689c304fdcf3d1b788")
!97 = !DILocation(line: 5, scope: !95)
!98 = !DILocation(line: 6, scope: !95)
!99 = !DILocation(line: 7, scope: !95)
!100 = distinct !{!100, !99, !99}
!101 = !DILocation(line: 8, scope: !95)
!102 = !DILocation(line: 9, scope: !95)
!103 = distinct !DISubprogram(name: "swab", scope: !104, file: !104, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!104 = !DIFile(filename: "./src/string/swab.c", directory: ".", checksumkind: CSK_MD5, checksum: "b71e83eff17bae85572386f5ff91690b")
!105 = !DILocation(line: 5, scope: !103)
!106 = !DILocation(line: 6, scope: !103)
!107 = !DILocation(line: 7, scope: !103)
!108 = !DILocation(line: 8, scope: !103)
!109 = !DILocation(line: 9, scope: !103)
!110 = !DILocation(line: 10, scope: !103)
!111 = !DILocation(line: 11, scope: !103)
!112 = !DILocation(line: 12, scope: !103)
!113 = distinct !{!113, !107, !112}
!114 = !DILocation(line: 13, scope: !103)
!115 = distinct !DISubprogram(name: "memmem", scope: !116, file: !116, line: 129, type: !11, scopeLine: 130, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!116 = !DIFile(filename: "./src/string/memmem.c", directory: ".", checksumkind: CSK_MD5, checksum: "388d9d4d4e000893840f2da09666edeb")
!117 = !DILocation(line: 131, scope: !115)
!118 = !DILocation(line: 134, scope: !115)
!119 = !DILocation(line: 137, scope: !115)
!120 = !DILocation(line: 140, scope: !115)
!121 = !DILocation(line: 141, scope: !115)
!122 = !DILocation(line: 142, scope: !115)
!123 = !DILocation(line: 143, scope: !115)
!124 = !DILocation(line: 144, scope: !115)
!125 = !DILocation(line: 145, scope: !115)
!126 = !DILocation(line: 146, scope: !115)
!127 = !DILocation(line: 148, scope: !115)
!128 = !DILocation(line: 149, scope: !115)
!129 = distinct !DISubprogram(name: "twobyte_memmem", scope: !116, file: !116, line: 5, type: !11, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!130 = !DILocation(line: 7, scope: !129)
!131 = !DILocation(line: 8, scope: !129)
!132 = !DILocation(line: 9, scope: !129)
!133 = distinct !{!133, !131, !132}
!134 = !DILocation(line: 10, scope: !129)
!135 = !DILocation(line: 11, scope: !129)
!136 = distinct !DISubprogram(name: "threebyte_memmem", scope: !116, file: !116, line: 13, type: !11, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!137 = !DILocation(line: 15, scope: !136)
!138 = !DILocation(line: 16, scope: !136)
!139 = !DILocation(line: 17, scope: !136)
!140 = !DILocation(line: 18, scope: !136)
!141 = distinct !{!141, !139, !140}
!142 = !DILocation(line: 19, scope: !136)
!143 = !DILocation(line: 20, scope: !136)
!144 = distinct !DISubprogram(name: "fourbyte_memmem", scope: !116, file: !116, line: 22, type: !11, scopeLine: 23, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!145 = !DILocation(line: 24, scope: !144)
!146 = !DILocation(line: 25, scope: !144)
!147 = !DILocation(line: 26, scope: !144)
!148 = !DILocation(line: 27, scope: !144)
!149 = distinct !{!149, !147, !148}
!150 = !DILocation(line: 28, scope: !144)
!151 = !DILocation(line: 29, scope: !144)
!152 = distinct !DISubprogram(name: "twoway_memmem", scope: !116, file: !116, line: 37, type: !11, scopeLine: 38, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!153 = !DILocation(line: 40, scope: !152)
!154 = !DILocation(line: 44, scope: !152)
!155 = !DILocation(line: 45, scope: !152)
!156 = distinct !{!156, !154, !155}
!157 = !DILocation(line: 48, scope: !152)
!158 = !DILocation(line: 49, scope: !152)
!159 = !DILocation(line: 50, scope: !152)
!160 = !DILocation(line: 51, scope: !152)
!161 = !DILocation(line: 52, scope: !152)
!162 = !DILocation(line: 53, scope: !152)
!163 = !DILocation(line: 54, scope: !152)
!164 = !DILocation(line: 55, scope: !152)
!165 = !DILocation(line: 56, scope: !152)
!166 = !DILocation(line: 57, scope: !152)
!167 = !DILocation(line: 58, scope: !152)
!168 = !DILocation(line: 59, scope: !152)
!169 = !DILocation(line: 60, scope: !152)
!170 = !DILocation(line: 61, scope: !152)
!171 = distinct !{!171, !158, !172}
!172 = !DILocation(line: 63, scope: !152)
!173 = !DILocation(line: 64, scope: !152)
!174 = !DILocation(line: 65, scope: !152)
!175 = !DILocation(line: 68, scope: !152)
!176 = !DILocation(line: 69, scope: !152)
!177 = !DILocation(line: 70, scope: !152)
!178 = !DILocation(line: 71, scope: !152)
!179 = !DILocation(line: 72, scope: !152)
!180 = !DILocation(line: 73, scope: !152)
!181 = !DILocation(line: 74, scope: !152)
!182 = !DILocation(line: 75, scope: !152)
!183 = !DILocation(line: 76, scope: !152)
!184 = !DILocation(line: 77, scope: !152)
!185 = !DILocation(line: 78, scope: !152)
!186 = !DILocation(line: 79, scope: !152)
!187 = !DILocation(line: 80, scope: !152)
!188 = !DILocation(line: 81, scope: !152)
!189 = distinct !{!189, !176, !190}
!190 = !DILocation(line: 83, scope: !152)
!191 = !DILocation(line: 84, scope: !152)
!192 = !DILocation(line: 85, scope: !152)
!193 = !DILocation(line: 88, scope: !152)
!194 = !DILocation(line: 89, scope: !152)
!195 = !DILocation(line: 90, scope: !152)
!196 = !DILocation(line: 91, scope: !152)
!197 = !DILocation(line: 92, scope: !152)
!198 = !DILocation(line: 95, scope: !152)
!199 = !DILocation(line: 97, scope: !152)
!200 = !DILocation(line: 100, scope: !152)
!201 = !DILocation(line: 101, scope: !152)
!202 = !DILocation(line: 102, scope: !152)
!203 = !DILocation(line: 103, scope: !152)
!204 = !DILocation(line: 104, scope: !152)
!205 = !DILocation(line: 105, scope: !152)
!206 = !DILocation(line: 106, scope: !152)
!207 = distinct !{!207, !198, !208}
!208 = !DILocation(line: 126, scope: !152)
!209 = !DILocation(line: 108, scope: !152)
!210 = !DILocation(line: 109, scope: !152)
!211 = !DILocation(line: 110, scope: !152)
!212 = !DILocation(line: 111, scope: !152)
!213 = !DILocation(line: 115, scope: !152)
!214 = !DILocation(line: 0, scope: !152)
!215 = distinct !{!215, !213, !213}
!216 = !DILocation(line: 116, scope: !152)
!217 = !DILocation(line: 117, scope: !152)
!218 = !DILocation(line: 118, scope: !152)
!219 = !DILocation(line: 119, scope: !152)
!220 = !DILocation(line: 122, scope: !152)
!221 = distinct !{!221, !220, !220}
!222 = !DILocation(line: 123, scope: !152)
!223 = !DILocation(line: 124, scope: !152)
!224 = !DILocation(line: 125, scope: !152)
!225 = !DILocation(line: 127, scope: !152)
